/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C ABI between compiled code and the Loom runtime (docs/runtime-abi.md).
 *
 * The compiler leaves, before each offloaded loop nest, a guard:
 *
 *     if (region.state != LOOM_RT_STATE_HOST) {
 *       ticket = loom_rt_launch(&region, in, out);
 *       if (ticket == LOOM_RT_DONE) { live-outs come from out; skip the nest }
 *     }
 *     ... the nest as host code ...
 *     if (region.checks) loom_rt_check(&region, out_of_host);
 *
 * `in` has one 64-bit slot per live-in, `out` one per live-out; slot 0 of `out`
 * is the exit selector. Values narrower than 64 bits are zero-extended.
 */
#ifndef LOOM_RUNTIME_LOOM_RT_H
#define LOOM_RUNTIME_LOOM_RT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_RT_ABI 2u

enum {
  LOOM_RT_STATE_ASK = 0,  /* call loom_rt_launch */
  LOOM_RT_STATE_HOST = 1, /* run the host code; nothing wants to know */
};

enum {
  LOOM_RT_DONE = 0,  /* the device ran the region; out is filled */
  LOOM_RT_HOST = 1,  /* run the host code */
  LOOM_RT_CHECK = 2, /* run the host code, then call loom_rt_check */
};

/* The exit selector of a region that declines a launch: the nest would do
 * something that a device can't (set errno). The launch is rolled back and
 * answered with LOOM_RT_HOST. */
#define LOOM_RT_DECLINED 0xffffffffu

/* One per region, writable, in the data of the program. `image` points to the
 * sealed image (LOOM_IMAGE section); `runtime` belongs to the runtime. */
typedef struct loom_rt_region {
  uint32_t abi;    /* LOOM_RT_ABI */
  uint32_t index;  /* of the region in the image */
  int32_t state;   /* LOOM_RT_STATE_* */
  uint32_t checks; /* not 0: launches may have to be checked */
  const void *image;
  uint64_t image_size;
  void *runtime;
} loom_rt_region;

/* Runs a launch on the device that LOOM_DEVICE names. Returns a LOOM_RT_*
 * ticket. Never fails otherwise: whatever goes wrong is rolled back, counted
 * and answered with LOOM_RT_HOST. */
int32_t loom_rt_launch(loom_rt_region *region, const uint64_t *in,
                       uint64_t *out);

/* Second half of a launch that was answered with LOOM_RT_CHECK: `out` are the
 * host's live-outs. Does nothing when the thread's last launch was not of this
 * region or was answered otherwise. */
void loom_rt_check(loom_rt_region *region, const uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
