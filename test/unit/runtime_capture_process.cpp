// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_CAPTURE as a program sees it.

#include "runtime_capture_harness.h"
#include "runtime_process_harness.h"

using namespace rttest;
using namespace loom::rt;

namespace {

/// prefixSum with the footprint p[0, 3), known or not.
RegionBuilder region(bool known) {
  RegionBuilder b = prefixSum();
  b.name = "pre/fix 0";
  b.memories[0].known = known;
  b.memories[0].hi = known ? 12 : 0;
  return b;
}

/// A folder that goes away.
struct Folder {
  std::string path = tempDir();
  ~Folder() { EXPECT_EQ(system(("rm -rf " + path).c_str()), 0); }
  bool has(const std::string &name) const {
    struct stat info;
    return stat((path + "/" + name).c_str(), &info) == 0;
  }
  Bytes read(const std::string &name) const {
    std::string text = slurp(path + "/" + name);
    return Bytes(text.begin(), text.end());
  }
};

/// What came of a capture: its results by replay.
void expectReplays(const Bytes &bytes, const RegionBuilder &builder,
                   uint32_t flags) {
  ReadBack read(bytes);
  ASSERT_EQ(read.errorName(), "none");
  EXPECT_EQ(read.capture.head.flags, flags);
  Loaded loaded(builder);
  RerunResult result = rerunCapture(read.capture, loaded.region,
                                    {false, rerunBudget(read.capture)});
  EXPECT_TRUE(result.equal()) << result.outcome.detail;
  ASSERT_EQ(read.capture.outputs.size, 2u);
  EXPECT_EQ(read.capture.outputs[1].bits, 6u);
  EXPECT_EQ(result.writtenBytes, 8u);
}

TEST(CaptureProcess, OneFileALaunch) {
  const std::tuple<const char *, const char *, bool, uint32_t> cases[] = {
      {"sim", "0", true, CaptureTouched},
      {"sim", "0", false, CaptureTouched},
      {"sim", "1", false, CaptureTouched | CaptureHostResult},
      {"host", "0", true, CaptureFootprint | CaptureHostResult}};
  for (auto [device, verify, known, flags] : cases) {
    Folder folder;
    Result r = child({{"LOOM_CAPTURE", folder.path},
                      {"LOOM_DEVICE", device},
                      {"LOOM_VERIFY", verify}},
                     [known = known] {
                       Program program(region(known));
                       program.run(3);
                       return program.last == 6 ? 0 : 1;
                     });
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
    expectReplays(folder.read("pre_fix_0.1.loomcap"), region(known), flags);
  }
}

/// The first LOOM_CAPTURE_LAUNCHES, then those whose number is a power of two.
TEST(CaptureProcess, Sampling) {
  for (const char *device : {"sim", "host"}) {
    Folder folder;
    Result r = child({{"LOOM_CAPTURE", folder.path + "/c"},
                      {"LOOM_DEVICE", device},
                      {"LOOM_CAPTURE_LAUNCHES", "3"}},
                     [] {
                       Program program(region(true));
                       for (int i = 0; i < 20; ++i)
                         program.run(3);
                       return 0;
                     });
    EXPECT_EQ(r.status, 0) << r.err;
    for (int i = 1; i <= 20; ++i)
      EXPECT_EQ(folder.has("c/pre_fix_0." + std::to_string(i) + ".loomcap"),
                i <= 4 || i == 8 || i == 16)
          << device << " " << i;
  }
}

TEST(CaptureProcess, NoLaunchesNoFiles) {
  Folder folder;
  Result r = child(
      {{"LOOM_CAPTURE", folder.path}, {"LOOM_CAPTURE_LAUNCHES", "0"}}, [] {
        Program program(region(true));
        program.run(3);
        return 0;
      });
  EXPECT_EQ(r.status, 0);
  EXPECT_FALSE(folder.has("pre_fix_0.1.loomcap"));
}

/// Without a footprint nothing knows what the host code will touch.
TEST(CaptureProcess, HostNeedsFootprints) {
  Folder folder;
  Result r =
      child({{"LOOM_CAPTURE", folder.path}, {"LOOM_DEVICE", "host"}}, [] {
        Program program(region(false));
        program.run(3);
        program.run(3);
        return program.hostRuns == 2 ? 0 : 1;
      });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err,
            "loom: no capture of region pre/fix 0: a memory has no known "
            "footprint; LOOM_DEVICE=sim needs none\n");
  EXPECT_FALSE(folder.has("pre_fix_0.1.loomcap"));
}

TEST(CaptureProcess, AFolderThatCantBeWritten) {
  Result r = child({{"LOOM_CAPTURE", "/proc/nowhere"}}, [] {
    Program program(region(true));
    bool done = program.run(3) == LOOM_RT_DONE;
    return done && program.run(3) == LOOM_RT_DONE ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "loom: no capture of region pre/fix 0: the file can't be "
                   "written\n");
}

/// A checked launch that differs: the record has the host's results, so that a
/// replay shows the difference.
TEST(CaptureProcess, AMismatchCanBeReplayed) {
  Folder folder;
  Result r = child({{"LOOM_CAPTURE", folder.path}, {"LOOM_VERIFY", "1"}}, [] {
    Program program(region(false));
    program.hostError = 10;
    program.run(3);
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("mismatch"), std::string::npos);
  ReadBack read(folder.read("pre_fix_0.1.loomcap"));
  ASSERT_EQ(read.errorName(), "none");
  Loaded loaded(region(false));
  RerunResult result =
      rerunCapture(read.capture, loaded.region, {false, 1u << 20});
  EXPECT_EQ(result.difference.output, 1);
  EXPECT_EQ(result.difference.recorded, 16u);
  EXPECT_EQ(result.difference.replayed, 6u);
}

/// The launch is rolled back, and there is nothing to record.
TEST(CaptureProcess, FallbacksAreNotCaptured) {
  Folder folder;
  Result r =
      child({{"LOOM_CAPTURE", folder.path}, {"LOOM_SIM_BUDGET", "5"}}, [] {
        Program program(region(false));
        program.run(3);
        return program.last == 6 ? 0 : 1;
      });
  EXPECT_EQ(r.status, 0);
  EXPECT_FALSE(folder.has("pre_fix_0.1.loomcap"));
}

/// The guard's choice is in the record.
TEST(CaptureProcess, GuardedRegion) {
  Folder folder;
  Result r = child({{"LOOM_CAPTURE", folder.path}}, [] {
    RegionBuilder builder = guardedSaxpy();
    Bytes image = seal({&builder});
    loom_rt_region guard = guardOf(image);
    std::vector<float> x(32, 1), y(32, 2);
    uint64_t in[4] = {30, 0x40000000, reinterpret_cast<uint64_t>(x.data()),
                      reinterpret_cast<uint64_t>(y.data())};
    uint64_t out[1];
    return loom_rt_launch(&guard, in, out) == LOOM_RT_DONE ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  RegionBuilder builder = guardedSaxpy();
  ReadBack read(folder.read(builder.name + ".1.loomcap"));
  ASSERT_EQ(read.errorName(), "none");
  EXPECT_EQ(read.capture.head.flags, CaptureTouched | CaptureApart);
  Loaded loaded(builder);
  for (bool apart : {true, false})
    EXPECT_TRUE(
        rerunCapture(read.capture, loaded.region, {apart, 1u << 20}).equal());
}

} // namespace
