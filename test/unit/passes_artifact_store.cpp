// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The store: what is put comes back, together with others and among rubble.

#include "loom/Artifact/Store.h"
#include "passes_harness.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace loom;
using namespace loom::test;

static std::string content(unsigned n) {
  return semanticBytes("program " + std::to_string(n));
}

static void overwrite(const std::string &path, const std::string &bytes) {
  unlink(path.c_str());
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(ArtifactStore, WhatIsPutComesBack) {
  Scratch scratch;
  ArtifactStore store(scratch.path("new"));
  for (unsigned n = 0; n < 20; ++n) {
    ArtifactIdentity identity = cantFail(store.put(content(n)));
    EXPECT_EQ(identity, ArtifactIdentity::of(content(n)));
    EXPECT_EQ(cantFail(store.put(content(n))), identity); // again
    std::string object = cantFail(store.get(identity));
    EXPECT_EQ(cantFail(openObject(object)).semantic, content(n));
  }
  ArtifactStore::Listing listing = cantFail(store.list());
  EXPECT_EQ(listing.objects.size(), 20u);
  EXPECT_TRUE(std::is_sorted(listing.objects.begin(), listing.objects.end()));
  EXPECT_TRUE(listing.foreign.empty());
  EXPECT_EQ(codeOf(store.get(ArtifactIdentity::of("no"))), "store-missing");
  EXPECT_EQ(
      codeOf(
          ArtifactStore(scratch.path("other")).get(ArtifactIdentity::of("no"))),
      "store-missing");
}

TEST(ArtifactStore, DamageIsSeen) {
  Scratch scratch;
  ArtifactStore store(scratch.path());
  ArtifactIdentity identity = cantFail(store.put(content(1))),
                   other = cantFail(store.put(content(2)));
  std::string path = store.pathOf(identity),
              good = cantFail(store.get(identity));
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 4;
    overwrite(path, bad);
    EXPECT_EQ(codeOf(store.get(identity)), "store-corrupt") << at;
  }
  // Cut off, empty, another object under this name. Put leaves it alone.
  for (std::string bad : {good.substr(0, good.size() - 1), std::string(),
                          cantFail(store.get(other))}) {
    overwrite(path, bad);
    EXPECT_EQ(codeOf(store.get(identity)), "store-corrupt");
    EXPECT_EQ(codeOf(store.put(content(1))), "store-corrupt");
    EXPECT_EQ(codeOf(store.get(identity)), "store-corrupt");
  }
  unlink(path.c_str());
  EXPECT_EQ(codeOf(store.get(identity)), "store-missing");
  EXPECT_EQ(cantFail(store.put(content(1))), identity);
  EXPECT_EQ(cantFail(store.get(identity)), good);
}

TEST(ArtifactStore, HostileDirectories) {
  Scratch scratch;
  ArtifactStore store(scratch.path());
  ArtifactIdentity identity = cantFail(store.put(content(1)));
  std::string path = store.pathOf(identity);
  std::string directory = path.substr(0, path.rfind('/'));
  auto both = [&](const char *code) {
    EXPECT_EQ(codeOf(store.get(identity)), code);
    EXPECT_EQ(codeOf(store.put(content(1))), code);
  };
  // In place of the object: a link to a good copy, a pipe, a directory.
  std::string copy = scratch.path("copy");
  ASSERT_EQ(std::rename(path.c_str(), copy.c_str()), 0);
  ASSERT_EQ(symlink(copy.c_str(), path.c_str()), 0);
  both("store-hostile");
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  both("store-hostile");
  unlink(path.c_str());
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  both("store-hostile");
  rmdir(path.c_str());
  // Foreign names.
  std::ofstream(directory + "/README") << "x";
  std::ofstream(scratch.path("objects/file")) << "x";
  ASSERT_EQ(mkdir(scratch.path("objects/zz").c_str(), 0700), 0);
  std::ofstream(scratch.path("objects/zz/") + identity.hex().substr(2)) << "x";
  ArtifactStore::Listing listing = cantFail(store.list());
  EXPECT_EQ(listing.objects.size(), 0u);
  EXPECT_EQ(listing.foreign.size(), 3u);
  // In place of the fan-out: a file, a link out of the store.
  llvm::sys::fs::remove_directories(directory);
  std::ofstream(directory) << "x";
  both("store-hostile");
  unlink(directory.c_str());
  ASSERT_EQ(symlink("/tmp", directory.c_str()), 0);
  both("store-hostile");
  unlink(directory.c_str());
  EXPECT_EQ(codeOf(store.put(content(1))), "");
}

TEST(ArtifactStore, ConcurrentWritersAgree) {
  Scratch scratch;
  ArtifactStore store(scratch.path("store"));
  std::vector<pid_t> children;
  for (unsigned child = 0; child < 8; ++child) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      bool good = true;
      for (unsigned n = 0; n < 40; ++n) {
        auto identity = store.put(content(n));
        good = good && bool(identity);
        auto object = store.get(ArtifactIdentity::of(content(n)));
        good = good && bool(object);
        consumeError(identity.takeError());
        consumeError(object.takeError());
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  ArtifactStore::Listing listing = cantFail(store.list());
  EXPECT_EQ(listing.objects.size(), 40u);
  EXPECT_TRUE(listing.foreign.empty());
  for (const ArtifactIdentity &identity : listing.objects)
    EXPECT_EQ(codeOf(store.get(identity)), "");
}
