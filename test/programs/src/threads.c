// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four threads run the same nest on their own data at the same time.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define N 400
#define THREADS 4

static uint32_t Data[THREADS][N];
static uint32_t Result[THREADS];

__attribute__((noinline)) static uint32_t fold(uint32_t *d, int n) {
  uint32_t h = 2166136261u;
  for (int r = 0; r < 6; r++)
    for (int i = 0; i < n; i++) {
      h = (h ^ d[i]) * 16777619u;
      d[i] += h >> 16;
    }
  return h;
}

static void *work(void *arg) {
  int t = (int)(intptr_t)arg;
  for (int round = 0; round < 5; round++)
    Result[t] += fold(Data[t], N);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t id[THREADS];
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < N; i++)
      Data[t][i] = (uint32_t)(t * 1000 + i * argc);
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&id[t], NULL, work, (void *)(intptr_t)t))
      return 1;
  for (int t = 0; t < THREADS; t++)
    pthread_join(id[t], NULL);
  for (int t = 0; t < THREADS; t++)
    printf("%08x\n", Result[t]);
  return 0;
}
