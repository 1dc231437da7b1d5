#include <cstdio>

extern "C" int weighted_sum(const int *data, int n);

int main(int argc, char **) {
  static int data[100];
  for (int i = 0; i < 100; ++i)
    data[i] = i * argc;
  std::printf("%d\n", weighted_sum(data, 100));
}
