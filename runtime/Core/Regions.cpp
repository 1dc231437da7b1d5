// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of regions. States live until the process ends: the memory of a
// loom_rt_region may go away with a dlclose.

#include "Core/Regions.h"
#include "Image/Target.h"
#include "Support/Text.h"
#include "loom/Image/loom_image_seal.h"

#include <pthread.h>

namespace loom::rt {

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static RegionState *states;
static uint64_t spent;

void lockRuntime() { pthread_mutex_lock(&lock); }
void unlockRuntime() { pthread_mutex_unlock(&lock); }

RegionState *allStates() { return states; }

uint64_t budgetLeft() {
  uint64_t budget = options().budget;
  if (budget == unlimited)
    return unlimited;
  uint64_t used = counted(spent);
  return used >= budget ? 0 : budget - used;
}

void spendBudget(uint64_t firings) { count(spent, firings); }

/// A child counts for itself; what the parent counted the parent reports. The
/// budget goes on from where the parent was.
static void afterForkInChild() {
  for (RegionState *state = states; state; state = state->next)
    state->forget();
  pthread_mutex_unlock(&lock);
}

static void registerFork() {
  pthread_atfork(lockRuntime, unlockRuntime, afterForkInChild);
}

/// Images whose seal was checked, so that an image with many regions is hashed
/// once, and its target decoded once. Identified by address and hash: the
/// address alone could be that of an image that was unloaded.
struct Checked {
  Checked *next;
  const void *image;
  uint64_t size;
  loom_image_header header;
  ImageVerdict verdict;
  TargetInfo target; // regions point here; entries are never removed
};
static Checked *checkedImages;

/// Null: too short for a header, or no memory.
static const Checked *checkedImage(const void *image, uint64_t size) {
  if (!image || size < sizeof(loom_image_header))
    return nullptr;
  for (Checked *entry = checkedImages; entry; entry = entry->next)
    if (entry->image == image && entry->size == size &&
        memcmp(&entry->header, image, sizeof(entry->header)) == 0)
      return entry;
  auto *entry = static_cast<Checked *>(malloc(sizeof(Checked)));
  if (!entry)
    return nullptr;
  *entry = {checkedImages, image, size, {}, checkSeal(image, size), {}};
  memcpy(&entry->header, image, sizeof(entry->header));
  if (entry->verdict.ok())
    entry->verdict = loadTarget(image, entry->target);
  checkedImages = entry;
  return entry;
}

static ImageVerdict loadChecked(const loom_rt_region &from, LoadedRegion &to) {
  const Checked *checked = checkedImage(from.image, from.image_size);
  if (!checked)
    return {from.image && from.image_size >= sizeof(loom_image_header)
                ? ImageError::NoMemory
                : ImageError::Truncated};
  ImageVerdict verdict = checked->verdict;
  if (verdict.ok())
    verdict = loadRegion(from.image, from.index, to);
  if (verdict.ok()) {
    to.target = &checked->target;
    if (to.apart)
      to.apart->target = to.target;
  }
  return verdict;
}

RegionState *stateOf(loom_rt_region *region) {
  auto *known = static_cast<RegionState *>(
      __atomic_load_n(&region->runtime, __ATOMIC_ACQUIRE));
  if (known)
    return known;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registerFork);
  lockRuntime();
  known = static_cast<RegionState *>(
      __atomic_load_n(&region->runtime, __ATOMIC_ACQUIRE));
  if (!known) {
    known = static_cast<RegionState *>(calloc(1, sizeof(RegionState)));
    if (known) {
      known->index = region->index;
      known->verdict = loadChecked(*region, known->region);
      known->next = states;
      states = known;
      __atomic_store_n(&region->runtime, static_cast<void *>(known),
                       __ATOMIC_RELEASE);
    }
  }
  unlockRuntime();
  return known;
}

RegionModel *modelOf(RegionState &state) {
  RegionModel *model = __atomic_load_n(&state.model, __ATOMIC_ACQUIRE);
  if (model)
    return model;
  lockRuntime();
  model = state.model;
  if (!model) {
    model = static_cast<RegionModel *>(calloc(1, sizeof(RegionModel)));
    if (model)
      model->init(state.region, options().models() && !options().every(),
                  options().counting());
    __atomic_store_n(&state.model, model, __ATOMIC_RELEASE);
  }
  unlockRuntime();
  return model;
}

Bench *takeBench(RegionState &state, bool apart) {
  lockRuntime();
  Bench *bench = state.idle[apart];
  if (bench)
    state.idle[apart] = bench->next;
  unlockRuntime();
  if (bench)
    return bench;
  bench = static_cast<Bench *>(malloc(sizeof(Bench)));
  if (!bench)
    return nullptr;
  *bench = Bench();
  bench->region = apart ? state.region.apart : &state.region;
  bench->engine = simDevice().prepare(*bench->region);
  if (bench->engine)
    return bench;
  free(bench);
  return nullptr;
}

void giveBench(RegionState &state, Bench *bench) {
  bench->undo.clear();
  bench->reads.forget();
  bool apart = bench->region != &state.region;
  lockRuntime();
  bench->next = state.idle[apart];
  state.idle[apart] = bench;
  unlockRuntime();
}

} // namespace loom::rt
