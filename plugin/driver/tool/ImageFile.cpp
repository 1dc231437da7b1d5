// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImageFile.h"
#include "Image/Reader.h"
#include "loom/Image/loom_image_seal.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace loom::tool;

template <typename... Args>
static Error failure(const char *format, const Args &...args) {
  return createStringError(inconvertibleErrorCode(), format, args...);
}

SealedImage::SealedImage(ArrayRef<uint8_t> bytes)
    : memory(std::make_unique<Block[]>(divideCeil(bytes.size(), 16))),
      size(bytes.size()) {
  std::memcpy(memory.get(), bytes.data(), size);
}

ArrayRef<uint8_t> SealedImage::bytes() const {
  return {memory.get()->bytes, size};
}

const loom::image::Image &SealedImage::root() const {
  return *loom::image::GetImage(memory.get()->bytes + LOOM_IMAGE_HEADER_SIZE);
}

/// The bytes of the sealed image at the start of `rest`, as its header says.
static ArrayRef<uint8_t> extentOf(ArrayRef<uint8_t> rest) {
  loom_image_header header;
  if (rest.size() < sizeof header)
    return rest;
  std::memcpy(&header, rest.data(), sizeof header);
  uint64_t payload =
      std::min<uint64_t>(header.payload_size, rest.size() - sizeof header);
  return rest.take_front(sizeof header + payload);
}

Expected<ImageFile> ImageFile::parse(ArrayRef<uint8_t> section) {
  // Images are 16-byte aligned; between them there is only padding.
  ImageFile file;
  const StringRef magic(LOOM_IMAGE_MAGIC, sizeof(loom_image_header::magic));
  size_t at = 0;
  while (at < section.size()) {
    ArrayRef<uint8_t> rest = section.drop_front(at);
    bool sealed = toStringRef(rest).starts_with(magic);
    if (!sealed && rest.front() == 0) {
      ++at;
      continue;
    }
    SealedImage candidate(extentOf(rest));
    rt::ImageVerdict verdict =
        rt::checkSeal(candidate.bytes().data(), candidate.bytes().size());
    if (!verdict.ok())
      return failure("the image is damaged (%s)",
                     rt::imageErrorName(verdict.error));
    at += candidate.bytes().size();
    file.list.push_back(std::move(candidate));
  }
  if (!section.empty() && file.list.empty())
    return failure("the image is damaged (%s)",
                   rt::imageErrorName(rt::ImageError::Magic));
  return file;
}

/// Why a file that isn't a linked ELF file has no image to look for.
static Error wrongKind(file_magic magic) {
  switch (magic) {
  case file_magic::bitcode:
    return failure("this is LLVM bitcode: Loom works at the link, ask the "
                   "executable or shared library");
  case file_magic::archive:
    return failure(
        "this is an archive: ask the executable that was linked with it");
  default:
    return failure("this is not an ELF file");
  }
}

static bool isElf(file_magic magic) {
  return magic == file_magic::elf || magic == file_magic::elf_relocatable ||
         magic == file_magic::elf_executable ||
         magic == file_magic::elf_shared_object ||
         magic == file_magic::elf_core;
}

Expected<ImageFile> ImageFile::read(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failure("%s", buffer.getError().message().c_str());
  // What `loom extract` wrote.
  if ((*buffer)->getBuffer().starts_with(
          StringRef(LOOM_IMAGE_MAGIC, sizeof(loom_image_header::magic))))
    return parse(arrayRefFromStringRef((*buffer)->getBuffer()));
  file_magic magic = identify_magic((*buffer)->getBuffer());
  if (!isElf(magic))
    return wrongKind(magic);
  auto object = object::ObjectFile::createELFObjectFile(
      (*buffer)->getMemBufferRef(), /*InitContent=*/false);
  if (!object)
    return object.takeError();

  std::vector<uint8_t> bytes;
  for (const object::SectionRef &section : (*object)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    if (*name != LOOM_IMAGE_SECTION)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    bytes.resize(alignTo(bytes.size(), 16));
    bytes.insert(bytes.end(), contents->bytes_begin(), contents->bytes_end());
  }
  return parse(bytes);
}

std::vector<RegionRef> ImageFile::regions() const {
  std::vector<RegionRef> result;
  for (const SealedImage &image : list) {
    uint32_t index = 0;
    for (const image::Region *region : items(image.root().regions()))
      result.push_back({&image, index++, region});
  }
  return result;
}

std::string loom::tool::printable(StringRef text) {
  std::string out = text.str();
  for (char &c : out)
    if ((unsigned char)c < 0x20 || c == 0x7f)
      c = '?';
  return out;
}

std::string loom::tool::fileName(StringRef name) {
  // Longer names than this don't fit every file system with a suffix.
  std::string out = name.take_front(200).str();
  for (char &c : out)
    if (!isAlnum(c) && c != '_' && c != '-' && c != '.')
      c = '_';
  if (out.empty() || out[0] == '.')
    out.insert(0, "_");
  return out;
}

Error loom::tool::writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (!error) {
    out << contents;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    return failure("can't write %s: %s", path.str().c_str(),
                   error.message().c_str());
  return Error::success();
}
