// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for messages, statistics and captures: built in memory, written with one
// write().

#ifndef LOOM_RUNTIME_SUPPORT_TEXT_H
#define LOOM_RUNTIME_SUPPORT_TEXT_H

#include "Support/Vec.h"

namespace loom::rt {

/// Appends silently stop when memory runs out.
struct Text {
  Vec<char> bytes;

  Text &str(const char *text);
  Text &str(const char *text, size_t length);
  Text &num(uint64_t value);
  Text &snum(int64_t value);
  Text &hex(uint64_t value, unsigned digits = 0);
  /// The inside of a JSON string; bytes that are not UTF-8 become U+FFFD.
  Text &json(const char *text);
  /// A file name: everything but [A-Za-z0-9._-] becomes '_'.
  Text &fileName(const char *text);
  const char *c_str();
  void release() { bytes.release(); }
};

/// Writes everything, across short writes and EINTR.
bool writeAll(int fd, const void *data, size_t size);

/// One line "loom: ..." on stderr in one write.
void sayLine(Text &text);
void say(const char *text);

/// A copy on the heap, never null as long as memory lasts.
char *copyString(const char *text, size_t length);

} // namespace loom::rt

#endif
