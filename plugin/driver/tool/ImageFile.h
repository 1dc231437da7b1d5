// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images read back from a linked file. The bytes are outside bytes: only what
// passed the runtime's own checks is handed out.

#ifndef LOOM_DRIVER_TOOL_IMAGEFILE_H
#define LOOM_DRIVER_TOOL_IMAGEFILE_H

#include "Image/Flat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace loom::tool {

/// One sealed image whose header, hash and FlatBuffers structure are sound.
class SealedImage {
public:
  /// Copies `bytes` (header and payload) to aligned memory.
  explicit SealedImage(llvm::ArrayRef<uint8_t> bytes);
  const image::Image &root() const;
  llvm::ArrayRef<uint8_t> bytes() const;

private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  std::unique_ptr<Block[]> memory;
  size_t size;
};

/// A region and the image it stands in.
struct RegionRef {
  const SealedImage *image;
  uint32_t index;
  const image::Region *region;
};

class ImageFile {
public:
  /// Reads the image section of an ELF file, or an image that `loom extract`
  /// wrote. No section: an empty file.
  static llvm::Expected<ImageFile> read(llvm::StringRef path);

  /// Splits the contents of an image section.
  static llvm::Expected<ImageFile> parse(llvm::ArrayRef<uint8_t> section);

  llvm::ArrayRef<SealedImage> images() const { return list; }
  bool empty() const { return list.empty(); }
  /// All regions, in file order.
  std::vector<RegionRef> regions() const;

private:
  std::vector<SealedImage> list;
};

/// A string of the image, empty when absent.
inline llvm::StringRef text(const flatbuffers::String *string) {
  return string ? llvm::StringRef(string->data(), string->size())
                : llvm::StringRef();
}

/// A vector of the image as a range; an absent one is empty.
template <typename T>
struct Items {
  const flatbuffers::Vector<T> *vector;
  auto begin() const {
    return vector ? vector->begin()
                  : typename flatbuffers::Vector<T>::const_iterator(nullptr, 0);
  }
  auto end() const {
    return vector ? vector->end()
                  : typename flatbuffers::Vector<T>::const_iterator(nullptr, 0);
  }
  size_t size() const { return vector ? vector->size() : 0; }
};
template <typename T>
Items<T> items(const flatbuffers::Vector<T> *vector) {
  return {vector};
}

/// `text` with everything that a terminal would act on written as '?'.
std::string printable(llvm::StringRef text);

/// A name that is safe as a file name: no separators, no leading dot.
std::string fileName(llvm::StringRef name);

/// Writes a file, replacing what was there.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace loom::tool

#endif
