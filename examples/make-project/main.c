// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints a picture, sends it through every filter and prints checksums.

#include "filters/filters.h"
#include <stdio.h>

int main(int argc, char **argv) {
  (void)argv;
  struct image a = image_new(96, 64), b = image_new(96, 64);
  image_paint(&a, (uint32_t)argc);
  printf("painted  %08x\n", image_checksum(&a));
  filter_blur(&a, &b);
  printf("blurred  %08x\n", image_checksum(&b));
  filter_levels(&b, &a);
  printf("levelled %08x\n", image_checksum(&a));
  filter_edges(&a, &b);
  printf("edges    %08x\n", image_checksum(&b));
  image_print(&b, 48, 16);
  filter_dither(&a, &b);
  printf("dithered %08x\n", image_checksum(&b));
  image_free(&a);
  image_free(&b);
  return 0;
}
