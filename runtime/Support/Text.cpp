// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text building and writing.

#include "Support/Text.h"

#include <errno.h>
#include <unistd.h>

namespace loom::rt {

Text &Text::str(const char *text, size_t length) {
  if (length && bytes.reserve(bytes.size + length)) {
    memcpy(bytes.data + bytes.size, text, length);
    bytes.size += length;
  }
  return *this;
}

Text &Text::str(const char *text) { return str(text, strlen(text)); }

Text &Text::num(uint64_t value) {
  char digits[20];
  unsigned count = 0;
  do {
    digits[sizeof(digits) - ++count] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value);
  return str(digits + sizeof(digits) - count, count);
}

Text &Text::snum(int64_t value) {
  if (value < 0) {
    str("-");
    return num(0 - static_cast<uint64_t>(value));
  }
  return num(static_cast<uint64_t>(value));
}

Text &Text::hex(uint64_t value, unsigned digits) {
  char out[16];
  unsigned count = 0;
  do {
    out[sizeof(out) - ++count] = "0123456789abcdef"[value & 15];
    value >>= 4;
  } while (value || (count < digits && count < sizeof(out)));
  return str(out + sizeof(out) - count, count);
}

/// Length of the UTF-8 sequence at `text`, 0 if there is none.
static unsigned utf8Length(const unsigned char *text) {
  unsigned char lead = text[0];
  unsigned length = lead < 0x80                    ? 1
                    : lead >= 0xC2 && lead <= 0xDF ? 2
                    : (lead & 0xF0) == 0xE0        ? 3
                    : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                   : 0;
  for (unsigned i = 1; i < length; ++i)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  if ((lead == 0xE0 && text[1] < 0xA0) || (lead == 0xED && text[1] > 0x9F) ||
      (lead == 0xF0 && text[1] < 0x90) || (lead == 0xF4 && text[1] > 0x8F))
    return 0;
  return length;
}

Text &Text::json(const char *text) {
  while (*text) {
    const auto *here = reinterpret_cast<const unsigned char *>(text);
    unsigned length = utf8Length(here);
    if (length == 0) {
      str("\xEF\xBF\xBD");
      ++text;
      continue;
    }
    if (*here == '"' || *here == '\\')
      str("\\").str(text, 1);
    else if (*here < 0x20 || *here == 0x7F)
      str("\\u").hex(*here, 4);
    else
      str(text, length);
    text += length;
  }
  return *this;
}

Text &Text::fileName(const char *text) {
  for (; *text; ++text) {
    char c = *text;
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '.' || c == '-';
    str(plain ? &c : "_", 1);
  }
  return *this;
}

const char *Text::c_str() {
  if (!bytes.reserve(bytes.size + 1))
    return "";
  bytes.data[bytes.size] = 0;
  return bytes.data;
}

bool writeAll(int fd, const void *data, size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size) {
    ssize_t wrote = write(fd, at, size);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote <= 0)
      return false;
    at += wrote;
    size -= static_cast<size_t>(wrote);
  }
  return true;
}

void sayLine(Text &text) {
  Text line;
  line.str("loom: ").str(text.bytes.data, text.bytes.size).str("\n");
  int saved = errno;
  writeAll(2, line.bytes.data, line.bytes.size);
  errno = saved;
  line.release();
  text.release();
}

void say(const char *text) {
  Text line;
  line.str(text);
  sayLine(line);
}

char *copyString(const char *text, size_t length) {
  char *copy = static_cast<char *>(malloc(length + 1));
  if (!copy)
    return nullptr;
  if (length)
    memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

} // namespace loom::rt
