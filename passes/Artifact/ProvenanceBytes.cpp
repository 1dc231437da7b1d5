// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of the sidecar: magic, candidate, the inventory, the distinct path
// lists, the list of each operation, and a SHA-256 of all that.

#include "Wire.h"
#include "loom/Artifact/Provenance.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace loom;

static constexpr StringLiteral magic("LOOMPRV\n");

using Paths = std::vector<CallSitePath>;

static bool lessFrame(const SourceFrame &a, const SourceFrame &b) {
  return std::tie(a.file, a.line, a.column) <
         std::tie(b.file, b.line, b.column);
}

namespace {
struct LessPaths {
  bool operator()(const Paths &a, const Paths &b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const CallSitePath &x, const CallSitePath &y) {
          return std::lexicographical_compare(x.begin(), x.end(), y.begin(),
                                              y.end(), lessFrame);
        });
  }
};
} // namespace

std::string SourceProvenance::bytes() const {
  std::string out(magic.data(), magic.size());
  out.append(reinterpret_cast<const char *>(candidate.bytes.data()), 32);
  wire::put<uint32_t>(out, files.size());
  for (const SourceFile &file : files) {
    wire::putText(out, file.directory);
    wire::putText(out, file.name);
  }
  std::map<Paths, uint32_t, LessPaths> lists;
  std::string body, uses;
  for (const Paths &paths : operations) {
    auto [it, isNew] = lists.try_emplace(paths, lists.size());
    wire::put<uint32_t>(uses, it->second);
    if (!isNew)
      continue;
    wire::put<uint32_t>(body, paths.size());
    for (const CallSitePath &path : paths) {
      wire::put<uint32_t>(body, path.size());
      for (const SourceFrame &frame : path) {
        wire::put<uint32_t>(body, frame.file);
        wire::put<uint32_t>(body, frame.line);
        wire::put<uint32_t>(body, frame.column);
      }
    }
  }
  wire::put<uint32_t>(out, lists.size());
  out += body;
  wire::put<uint32_t>(out, operations.size());
  out += uses;
  ArtifactIdentity digest = ArtifactIdentity::of(out);
  out.append(reinterpret_cast<const char *>(digest.bytes.data()), 32);
  return out;
}

Expected<SourceProvenance> SourceProvenance::fromBytes(StringRef bytes) {
  auto bad = [](const Twine &why) {
    return artifactError(ArtifactFault::BadProvenance, why);
  };
  if (bytes.size() < magic.size() + 64 || !bytes.starts_with(magic))
    return bad("not a sidecar");
  StringRef content = bytes.drop_back(32);
  if (bytes.take_back(32) !=
      toStringRef(ArrayRef<uint8_t>(ArtifactIdentity::of(content).bytes)))
    return bad("wrong digest");
  wire::Reader reader(content.drop_front(magic.size()));
  SourceProvenance result;
  copy(reader.take(32), result.candidate.bytes.begin());
  // A count is believed only as far as the bytes reach, one entry at a time.
  for (uint32_t n = reader.get<uint32_t>(); n && !reader.failed(); --n) {
    SourceFile file;
    file.directory = reader.text().str();
    file.name = reader.text().str();
    result.files.push_back(std::move(file));
  }
  std::vector<Paths> lists;
  for (uint32_t n = reader.get<uint32_t>(); n && !reader.failed(); --n) {
    Paths paths;
    for (uint32_t m = reader.get<uint32_t>(); m && !reader.failed(); --m) {
      CallSitePath path;
      for (uint32_t k = reader.get<uint32_t>(); k && !reader.failed(); --k) {
        SourceFrame frame;
        frame.file = reader.get<uint32_t>();
        frame.line = reader.get<uint32_t>();
        frame.column = reader.get<uint32_t>();
        if (frame.file >= result.files.size())
          return bad("a frame of no file");
        path.push_back(frame);
      }
      paths.push_back(std::move(path));
    }
    lists.push_back(std::move(paths));
  }
  for (uint32_t n = reader.get<uint32_t>(); n && !reader.failed(); --n) {
    uint32_t list = reader.get<uint32_t>();
    if (list >= lists.size())
      return bad("an operation of no path list");
    result.operations.push_back(lists[list]);
  }
  if (reader.failed() || reader.left())
    return bad("cut off or too long");
  if (result.bytes() != bytes)
    return bad("not canonical");
  return result;
}
