int weighted_sum(const int *data, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += data[i] * (i + 1);
  return sum;
}
