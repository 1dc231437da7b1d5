// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom_rt_bench: nanoseconds per firing of the token engine. Prints only.

#include "Devices/Sim/Engine.h"
#include "runtime_kernels.h"
#include <chrono>
#include <cstdio>

using namespace rttest;

static void bench(const char *name, const RegionBuilder &builder,
                  const std::vector<uint64_t> &in) {
  Bytes bytes = seal({&builder});
  loom::rt::LoadedRegion region;
  loom::rt::Engine engine;
  loom::rt::UndoLog undo;
  if (!loom::rt::loadRegion(bytes.data(), 0, region).ok() ||
      !engine.build(region))
    return;
  std::vector<uint64_t> out(region.outputInfos.size);
  loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 50,
                                     &undo};
  double best = 1e9;
  uint64_t firings = 0;
  for (int round = 0; round < 7; ++round) {
    auto begin = std::chrono::steady_clock::now();
    loom::rt::Outcome outcome = engine.run(region, context);
    std::chrono::duration<double, std::nano> took =
        std::chrono::steady_clock::now() - begin;
    undo.clear();
    firings = outcome.firings;
    if (outcome.reason != loom::rt::Reason::None)
      std::printf("%s: %s\n", name, outcome.detail);
    if (took.count() / double(firings) < best)
      best = took.count() / double(firings);
  }
  std::printf("%-10s %4zu actors %9llu firings %6.2f ns/firing %7.1f M/s\n",
              name, region.actors.size, (unsigned long long)firings, best,
              1000 / best);
  engine.release();
  undo.release();
  region.release();
}

int main() {
  std::vector<float> x(65536, 1.0f), y(65536, 2.0f);
  std::vector<uint32_t> p(65536, 3);
  uint64_t log[2] = {};
  auto address = [](const void *at) { return reinterpret_cast<uint64_t>(at); };
  uint64_t one = 0x3f800000;
  bench("saxpy", saxpy(), {65536, one, address(x.data()), address(y.data())});
  bench("prefix", prefixSum(), {65536, address(p.data())});
  bench("triangle", triangle(), {500, 0});
  bench("short", triangle(), {16, 0});
  bench("collatz", collatz(), {837799, address(log)});
  return 0;
}
