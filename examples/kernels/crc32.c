// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CRC-32 by table: the table is made first, bit by bit, then used. Shows: a
// select on a data bit, a table look-up on a value, a scalar carried around.

#include <stdint.h>
#include <stdio.h>

#define LEN 4096

static uint32_t Table[256];
static uint8_t Buf[LEN];

__attribute__((noinline)) static void make_table(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    Table[n] = c;
  }
}

__attribute__((noinline)) static uint32_t crc32(uint32_t crc) {
  crc = ~crc;
  for (int i = 0; i < LEN; i++)
    crc = Table[(crc ^ Buf[i]) & 255] ^ crc >> 8;
  return ~crc;
}

int main(int argc, char **argv) {
  uint32_t seed = 55u + (uint32_t)argc;
  make_table();
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    Buf[i] = (uint8_t)(seed >> 24);
  }
  uint32_t c = crc32((uint32_t)argc);
  printf("crc32 %08x table[255]=%08x\n", c, Table[255]);
  return 0;
}
