// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest runs before a fork, in the children and in the parent after it.

#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 300

static uint32_t Data[N];

__attribute__((noinline)) static uint32_t step(uint32_t seed) {
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < N; i++) {
      seed = seed * 1664525u + 1013904223u;
      Data[i] ^= seed >> 7;
    }
  return seed;
}

int main(int argc, char **argv) {
  (void)argv;
  uint32_t s = step((uint32_t)argc);
  printf("before %08x %08x\n", s, Data[N - 1]);
  fflush(stdout);
  for (uint32_t child = 1; child <= 3; child++) {
    pid_t pid = fork();
    if (pid < 0)
      return 1;
    if (pid == 0) {
      uint32_t c = step(child);
      printf("child %u %08x %08x\n", child, c, Data[N - 1]);
      return 0;
    }
    int status;
    if (waitpid(pid, &status, 0) < 0 || status != 0)
      return 1;
  }
  s = step(s);
  printf("after %08x %08x\n", s, Data[N - 1]);
  return 0;
}
