// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Isolate.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace loom;

static rlim_t addressSpaceInUse() {
  long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%ld", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE));
}

static void limitSelf(rlim_t inUse) {
  auto limit = [](int resource, rlim_t value) {
    rlimit now;
    if (getrlimit(resource, &now) == 0) {
      now.rlim_cur = std::min(now.rlim_max, value);
      setrlimit(resource, &now);
    }
  };
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 120);
  if (inUse < (rlim_t(1) << 44)) // a sanitizer reserves more than that
    limit(RLIMIT_AS, inUse + (rlim_t(8) << 30));
  // A crash must end the child at once, without a stack trace.
  for (int number :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU})
    std::signal(number, SIG_DFL);
  if (int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    dup2(null, STDERR_FILENO);
}

static void writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return;
    bytes = bytes.drop_front(done);
  }
}

static std::string readAll(int file) {
  std::string text;
  char buffer[512];
  for (;;) {
    ssize_t done = read(file, buffer, sizeof buffer);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return text;
    text.append(buffer, done);
  }
}

/// "ok", or the number of the fault, a space and the detail.
static std::string report(Error error) {
  std::string text = "ok";
  handleAllErrors(std::move(error), [&](const ArtifactError &found) {
    text = utostr(static_cast<unsigned>(found.fault)) + " " + found.detail;
  });
  return text;
}

Error loom::artifact::rehearse(function_ref<Error()> work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return artifactError(ArtifactFault::StoreIO,
                         Twine("pipe: ") + std::strerror(errno));
  rlim_t inUse = addressSpaceInUse();
  pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return artifactError(ArtifactFault::StoreIO,
                         Twine("fork: ") + std::strerror(errno));
  }
  if (child == 0) {
    close(ends[0]);
    limitSelf(inUse);
    writeAll(ends[1], report(work()));
    _exit(0);
  }
  close(ends[1]);
  std::string text = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return artifactError(ArtifactFault::ReaderCrash,
                         "signal " + Twine(WTERMSIG(status)));
  if (text == "ok")
    return Error::success();
  auto [number, detail] = StringRef(text).split(' ');
  unsigned fault;
  if (number.getAsInteger(10, fault) || fault >= numFaults())
    return artifactError(ArtifactFault::ReaderCrash, "no answer");
  return artifactError(static_cast<ArtifactFault>(fault), detail);
}
