/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linked into a program of the round trip (LOOM_ROUNDTRIP=1): appends which
 * regions ran, and how often, to the file that LOOM_ROUNDTRIP_STATS names. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct row {
  const char *name;
  unsigned long calls;
};
extern struct row __start_loom_roundtrip[] __attribute__((weak, visibility("hidden")));
extern struct row __stop_loom_roundtrip[] __attribute__((weak, visibility("hidden")));

__attribute__((destructor)) static void write_counts(void) {
  const char *path = getenv("LOOM_ROUNDTRIP_STATS");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
  if (file < 0)
    return;
  for (struct row *r = __start_loom_roundtrip; r != __stop_loom_roundtrip; ++r) {
    char line[512];
    int n = snprintf(line, sizeof line, "{\"region\":\"%.400s\",\"calls\":%lu}\n", r->name, r->calls);
    if (r->calls && write(file, line, (size_t)n) != n)
      break;
  }
  close(file);
}
