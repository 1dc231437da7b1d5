// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growable array over malloc for plain data. The runtime links into C
// programs, so nothing here may need the C++ library.

#ifndef LOOM_RUNTIME_SUPPORT_VEC_H
#define LOOM_RUNTIME_SUPPORT_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace loom::rt {

/// Growing can fail; the caller sees `false` and the contents stay as they
/// were.
template <typename T>
struct Vec {
  T *data = nullptr;
  size_t size = 0;
  size_t capacity = 0;

  T &operator[](size_t index) { return data[index]; }
  const T &operator[](size_t index) const { return data[index]; }
  T *begin() { return data; }
  T *end() { return data + size; }
  const T *begin() const { return data; }
  const T *end() const { return data + size; }

  bool reserve(size_t wanted) {
    if (wanted <= capacity)
      return true;
    size_t grown = capacity ? capacity * 2 : 8;
    if (grown < wanted)
      grown = wanted;
    if (grown > SIZE_MAX / sizeof(T))
      return false;
    void *moved = realloc(static_cast<void *>(data), grown * sizeof(T));
    if (!moved)
      return false;
    data = static_cast<T *>(moved);
    capacity = grown;
    return true;
  }

  bool push(const T &value) {
    T copy = value; // `value` may live in this array
    if (!reserve(size + 1))
      return false;
    data[size++] = copy;
    return true;
  }

  /// Sets the size; all elements become zero bytes.
  bool assignZero(size_t count) {
    if (!reserve(count))
      return false;
    if (count)
      memset(static_cast<void *>(data), 0, count * sizeof(T));
    size = count;
    return true;
  }

  void clear() { size = 0; }

  void release() {
    free(static_cast<void *>(data));
    data = nullptr;
    size = capacity = 0;
  }
};

} // namespace loom::rt

#endif
