// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests that run in a static constructor and in a destructor at exit, and an
// exception thrown between launches.

#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace {

struct Sums {
  uint32_t data[64];
  Sums() { std::printf("constructor %08x\n", run(1)); }
  ~Sums() { std::printf("destructor %08x\n", run(3)); }

  __attribute__((noinline)) uint32_t run(uint32_t seed) {
    for (int r = 0; r < 4; r++)
      for (int i = 0; i < 64; i++) {
        seed = seed * 22695477u + 1u;
        data[i] = (data[i] << 1 | data[i] >> 31) ^ seed;
      }
    return data[63];
  }
};

Sums sums;

uint32_t checked(int argc) {
  uint32_t v = sums.run((uint32_t)argc);
  if (v != 0)
    throw std::runtime_error("as planned");
  return v;
}

} // namespace

int main(int argc, char **) {
  try {
    std::printf("%08x\n", checked(argc));
  } catch (const std::exception &e) {
    std::printf("caught: %s, %08x\n", e.what(), sums.run(2));
  }
  return 0;
}
