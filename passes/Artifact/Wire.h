// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Big-endian bytes, written and read with bounds.

#ifndef LOOM_ARTIFACT_WIRE_H
#define LOOM_ARTIFACT_WIRE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <string>

namespace loom::wire {

template <typename T>
void put(std::string &out, T value) {
  char raw[sizeof(T)];
  llvm::support::endian::write(raw, value, llvm::endianness::big);
  out.append(raw, sizeof(T));
}

inline void putText(std::string &out, llvm::StringRef text) {
  put<uint32_t>(out, text.size());
  out.append(text.data(), text.size());
}

/// Reads from the front; any read past the end makes it bad for good.
class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : rest(bytes) {}

  template <typename T>
  T get() {
    llvm::StringRef raw = take(sizeof(T));
    return raw.empty() ? T(0)
                       : llvm::support::endian::read<T>(raw.data(),
                                                        llvm::endianness::big);
  }
  llvm::StringRef take(uint64_t size) {
    if (size > rest.size()) {
      bad = true;
      rest = {};
      return {};
    }
    llvm::StringRef front = rest.take_front(size);
    rest = rest.drop_front(size);
    return front;
  }
  llvm::StringRef text() { return take(get<uint32_t>()); }
  uint64_t left() const { return rest.size(); }
  bool failed() const { return bad; }

private:
  llvm::StringRef rest;
  bool bad = false;
};

} // namespace loom::wire

#endif
