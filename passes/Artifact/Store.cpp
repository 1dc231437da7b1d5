// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Below the directory that the user names, no symbolic link is followed and
// nothing but directories and regular files is opened. A new object is written
// to a temporary file, synced, then linked under its name, so that a name
// always means a whole object.

#include "loom/Artifact/Store.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace loom;

namespace {

/// An open file descriptor.
class File {
public:
  explicit File(int fd = -1) : fd(fd) {}
  File(File &&other) : fd(other.fd) { other.fd = -1; }
  File &operator=(File &&other) {
    std::swap(fd, other.fd);
    return *this;
  }
  ~File() {
    if (fd >= 0)
      close(fd);
  }
  operator int() const { return fd; }

private:
  int fd;
};

} // namespace

static Error ioError(const Twine &what) {
  int code = errno;
  ArtifactFault fault = ArtifactFault::StoreIO;
  if (code == ENOENT)
    fault = ArtifactFault::StoreMissing;
  else if (code == ELOOP || code == ENOTDIR || code == EISDIR)
    fault = ArtifactFault::StoreHostile;
  return artifactError(fault, what + ": " + std::strerror(code));
}

static constexpr int directoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

/// The directory `name` in `parent`, made if it isn't there.
static Expected<File> openDirectory(int parent, const std::string &name,
                                    bool create) {
  if (create && mkdirat(parent, name.c_str(), 0777) != 0 && errno != EEXIST)
    return ioError("mkdir " + name);
  // Only the user's own directory may be a link.
  int noFollow = parent == AT_FDCWD ? 0 : O_NOFOLLOW;
  File file(openat(parent, name.c_str(), directoryFlags | noFollow));
  if (file < 0)
    return ioError(name);
  return std::move(file);
}

/// objects/ab below the store.
static Expected<File> openFanOut(const std::string &root,
                                 const std::string &prefix, bool create) {
  Expected<File> top = openDirectory(AT_FDCWD, root, create);
  if (!top)
    return top.takeError();
  Expected<File> objects = openDirectory(*top, "objects", create);
  if (!objects)
    return objects.takeError();
  return openDirectory(*objects, prefix, create);
}

static Error writeAll(int fd, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return ioError("write");
    bytes = bytes.drop_front(done);
  }
  return Error::success();
}

static Expected<std::string> readObject(int directory,
                                        const std::string &name) {
  // Without O_NONBLOCK a pipe of that name would hang us.
  File file(openat(directory, name.c_str(),
                   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file < 0)
    return ioError(name);
  struct stat info;
  if (fstat(file, &info) != 0)
    return ioError(name);
  if (!S_ISREG(info.st_mode))
    return artifactError(ArtifactFault::StoreHostile,
                         name + " is not a regular file");
  if (uint64_t(info.st_size) > maxArtifactBytes + 4096)
    return artifactError(ArtifactFault::StoreCorrupt, name + " is too large");
  std::string bytes(info.st_size, '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    ssize_t done = read(file, bytes.data() + have, bytes.size() - have);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return ioError(name);
    if (done == 0)
      break;
    have += done;
  }
  bytes.resize(have);
  return bytes;
}

/// The object, if it is the one that its name says.
static Expected<std::string> readChecked(int directory, const std::string &name,
                                         const ArtifactIdentity &identity) {
  Expected<std::string> bytes = readObject(directory, name);
  if (!bytes)
    return bytes.takeError();
  Expected<SealedObject> sealed = openObject(*bytes);
  if (!sealed)
    return artifactError(ArtifactFault::StoreCorrupt,
                         name + ": " + toString(sealed.takeError()));
  if (sealed->identity != identity)
    return artifactError(ArtifactFault::StoreCorrupt,
                         name + " holds " + sealed->identity.hex());
  return bytes;
}

std::string ArtifactStore::pathOf(const ArtifactIdentity &identity) const {
  std::string hex = identity.hex();
  return root + "/objects/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

/// Creates a file that nobody else has.
static Expected<File> createTemporary(int directory, std::string &name) {
  static std::atomic<unsigned> counter{0};
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    name = ".new-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    File file(openat(directory, name.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     0444));
    if (file >= 0)
      return std::move(file);
    if (errno != EEXIST)
      return ioError(name);
  }
  return artifactError(ArtifactFault::StoreIO, "no free temporary name");
}

Expected<ArtifactIdentity> ArtifactStore::put(StringRef semantic) const {
  ArtifactIdentity identity = ArtifactIdentity::of(semantic);
  std::string hex = identity.hex(), name = hex.substr(2);
  Expected<File> directory = openFanOut(root, hex.substr(0, 2), true);
  if (!directory)
    return directory.takeError();
  struct stat info;
  if (fstatat(*directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
    Expected<std::string> there = readChecked(*directory, name, identity);
    if (!there)
      return there.takeError();
    return identity;
  }
  std::string temporary;
  Expected<File> file = createTemporary(*directory, temporary);
  if (!file)
    return file.takeError();
  Error error = writeAll(*file, sealObject(semantic));
  if (!error && fsync(*file) != 0)
    error = ioError("fsync");
  bool exists = false;
  if (!error &&
      linkat(*directory, temporary.c_str(), *directory, name.c_str(), 0) != 0) {
    exists = errno == EEXIST; // another writer was faster
    if (!exists)
      error = ioError("link " + name);
  }
  unlinkat(*directory, temporary.c_str(), 0);
  if (!error && !exists && fsync(*directory) != 0)
    error = ioError("fsync of the directory");
  if (error)
    return std::move(error);
  if (exists)
    if (Expected<std::string> there = readChecked(*directory, name, identity);
        !there)
      return there.takeError();
  return identity;
}

Expected<std::string>
ArtifactStore::get(const ArtifactIdentity &identity) const {
  std::string hex = identity.hex();
  Expected<File> directory = openFanOut(root, hex.substr(0, 2), false);
  if (!directory)
    return directory.takeError();
  return readChecked(*directory, hex.substr(2), identity);
}

/// The names in a directory, sorted.
static Expected<std::vector<std::string>> namesIn(int directory) {
  int copy = openat(directory, ".", directoryFlags);
  DIR *stream = copy < 0 ? nullptr : fdopendir(copy);
  if (!stream) {
    Error error = ioError("list");
    if (copy >= 0)
      close(copy);
    return std::move(error);
  }
  std::vector<std::string> names;
  while (const dirent *entry = readdir(stream))
    if (StringRef name = entry->d_name; name != "." && name != "..")
      names.push_back(name.str());
  closedir(stream);
  llvm::sort(names);
  return names;
}

Expected<ArtifactStore::Listing> ArtifactStore::list() const {
  Listing result;
  Expected<File> top = openDirectory(AT_FDCWD, root, false);
  if (!top)
    return top.takeError();
  Expected<File> objects = openDirectory(*top, "objects", false);
  if (!objects) { // an empty store
    Error error = handleErrors(
        objects.takeError(), [](std::unique_ptr<ArtifactError> found) {
          return found->fault == ArtifactFault::StoreMissing
                     ? Error::success()
                     : Error(std::move(found));
        });
    if (error)
      return std::move(error);
    return result;
  }
  Expected<std::vector<std::string>> prefixes = namesIn(*objects);
  if (!prefixes)
    return prefixes.takeError();
  for (const std::string &prefix : *prefixes) {
    Expected<File> directory = openDirectory(*objects, prefix, false);
    Expected<std::vector<std::string>> names =
        directory ? namesIn(*directory) : directory.takeError();
    if (!names) {
      consumeError(names.takeError());
      result.foreign.push_back("objects/" + prefix);
      continue;
    }
    for (const std::string &name : *names) {
      Expected<ArtifactIdentity> identity =
          ArtifactIdentity::fromHex(prefix + name);
      if (identity && prefix.size() == 2) {
        result.objects.push_back(*identity);
        continue;
      }
      if (!identity)
        consumeError(identity.takeError());
      // What a killed writer left is no object, but harmless.
      result.foreign.push_back("objects/" + prefix + "/" + name);
    }
  }
  return result;
}
