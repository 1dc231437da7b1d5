// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scenarios in a child process of their own, since the environment is read once
// per process, and a program around one region.

#ifndef LOOM_TEST_UNIT_RUNTIME_PROCESS_HARNESS_H
#define LOOM_TEST_UNIT_RUNTIME_PROCESS_HARNESS_H

#include "loom/Runtime/loom_rt.h"
#include "runtime_image_builder.h"
#include "runtime_kernels.h"
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rttest {

struct Result {
  int status; // exit code, or 1000 + signal
  std::string err;
  std::string stats;
};

inline std::string slurp(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string tempDir() {
  char name[] = "/tmp/loom_rt_XXXXXX";
  return mkdtemp(name);
}

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs a scenario in a child; it returns the exit code and leaves by exit().
inline Result child(const Environment &environment,
                    const std::function<int()> &body, bool stats = true) {
  std::string dir = tempDir();
  std::string errPath = dir + "/err", statsPath = dir + "/stats";
  pid_t pid = fork();
  if (pid == 0) {
    int fd = open(errPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 2);
    if (stats)
      setenv("LOOM_STATS", statsPath.c_str(), 1);
    // Most scenarios are about every launch.
    setenv("LOOM_DEVICE", "sim", 1);
    for (const auto &[name, value] : environment)
      setenv(name.c_str(), value.c_str(), 1);
    exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  Result result = {WIFEXITED(status) ? WEXITSTATUS(status)
                                     : 1000 + WTERMSIG(status),
                   slurp(errPath), slurp(statsPath)};
  std::string remove = "rm -rf " + dir;
  EXPECT_EQ(system(remove.c_str()), 0);
  return result;
}

inline unsigned linesOf(const std::string &text) {
  unsigned count = 0;
  for (char c : text)
    count += c == '\n';
  return count;
}

/// What the compiler emits around prefixSum, with a host loop that can be
/// wrong.
struct Program {
  Bytes bytes;
  loom_rt_region guard;
  std::vector<uint32_t> p;
  int hostRuns = 0;
  uint32_t last = 0;
  uint32_t hostError = 0; // added to the host's live-out
  bool hostSpill = false; // the host writes where the graph doesn't
  bool jumpsOut = false;  // a signal handler leaves the nest

  explicit Program(const RegionBuilder &builder = prefixSum(), size_t n = 100,
                   const TargetFields *target = nullptr)
      : bytes(seal({&builder}, target)), guard(guardOf(bytes)), p(n + 16, 2) {}

  int32_t run(size_t n) {
    int32_t ticket = LOOM_RT_HOST;
    uint64_t in[2] = {n, reinterpret_cast<uint64_t>(p.data())};
    uint64_t out[2] = {7, 7};
    if (guard.state != LOOM_RT_STATE_HOST) {
      ticket = loom_rt_launch(&guard, in, out);
      if (ticket == LOOM_RT_DONE) {
        last = uint32_t(out[1]);
        return ticket;
      }
    }
    ++hostRuns;
    last = 0;
    for (size_t i = 1; i < n; ++i)
      last = p[i] += p[i - 1];
    if (hostSpill)
      p[n + 2] = 4711;
    last += hostError;
    if (jumpsOut)
      return ticket;
    if (ticket == LOOM_RT_CHECK || guard.checks != 0) {
      out[0] = 0;
      out[1] = last;
      loom_rt_check(&guard, out);
    }
    return ticket;
  }
};

} // namespace rttest

#endif
