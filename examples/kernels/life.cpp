// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Game of life on a bordered board, as a C++ template over the board's size.
// Shows: a template instance as the nest, byte arrays in a class, no aliasing
// facts but the object's own layout.

#include <cstdint>
#include <cstdio>

namespace {

template <int W, int H> class Board {
public:
  void set(int x, int y, uint8_t v) { cell[y + 1][x + 1] = v; }
  uint8_t get(int x, int y) const { return cell[y + 1][x + 1]; }

  __attribute__((noinline)) int step() {
    int alive = 0;
    for (int y = 1; y <= H; y++)
      for (int x = 1; x <= W; x++) {
        int n = cell[y - 1][x - 1] + cell[y - 1][x] + cell[y - 1][x + 1] +
                cell[y][x - 1] + cell[y][x + 1] + cell[y + 1][x - 1] +
                cell[y + 1][x] + cell[y + 1][x + 1];
        uint8_t v = n == 3 || (n == 2 && cell[y][x]);
        next[y][x] = v;
        alive += v;
      }
    for (int y = 1; y <= H; y++)
      for (int x = 1; x <= W; x++)
        cell[y][x] = next[y][x];
    return alive;
  }

private:
  uint8_t cell[H + 2][W + 2] = {};
  uint8_t next[H + 2][W + 2] = {};
};

Board<40, 30> board;

} // namespace

int main(int argc, char **argv) {
  uint32_t seed = 66u + (uint32_t)argc;
  for (int y = 0; y < 30; y++)
    for (int x = 0; x < 40; x++) {
      seed = seed * 1664525u + 1013904223u;
      board.set(x, y, seed >> 30 == 0);
    }
  int alive = 0;
  for (int g = 0; g < 8; g++)
    alive = board.step();
  uint32_t check = 0;
  for (int y = 0; y < 30; y++)
    for (int x = 0; x < 40; x++)
      check = check * 31u + board.get(x, y);
  std::printf("life %08x alive=%d\n", check, alive);
  return 0;
}
