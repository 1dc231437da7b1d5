// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FlatBuffers tables to a LoadedRegion. What can't be represented is refused
// here, everything else in Check.cpp.

#include "Image/Flat.h"
#include "Image/Reader.h"
#include "loom/Image/loom_image_seal.h"

namespace loom::rt {

static_assert(uint8_t(image::Type::Ptr) == uint8_t(Ty::Ptr), "Type numbers");
static_assert(uint8_t(image::ActorKind::Compute) == uint8_t(Kind::Compute),
              "ActorKind numbers");
static_assert(sizeof(image::Actor) == 40, "Actor layout");
static_assert(uint8_t(image::GuardOp::NotNegative) ==
                  uint8_t(GuardOp::NotNegative),
              "GuardOp numbers");
static_assert(sizeof(image::GuardNode) == 24, "GuardNode layout");

static const image::Image *rootOf(const void *image) {
  return flatbuffers::GetRoot<image::Image>(
      static_cast<const uint8_t *>(image) + LOOM_IMAGE_HEADER_SIZE);
}

static char *copyOf(const flatbuffers::String *text) {
  size_t length = text ? text->size() : 0;
  char *copy = static_cast<char *>(malloc(length + 1));
  if (!copy)
    return nullptr;
  if (length)
    memcpy(copy, text->c_str(), length);
  copy[length] = 0;
  return copy;
}

template <typename V>
static uint32_t countOf(const V *vector) {
  return vector ? vector->size() : 0;
}

void LoadedRegion::release() {
  free(name);
  free(function);
  free(file);
  for (MemoryInfo &memory : memories)
    free(memory.name);
  slots.release();
  inputs.release();
  memories.release();
  outputInfos.release();
  actors.release();
  operands.release();
  outputs.release();
  completes.release();
  types.release();
  guard.nodes.release();
  guard.ranges.release();
  guard.pairs.release();
  guard.partitions.release();
  if (apart) {
    apart->release();
    free(apart);
  }
  *this = LoadedRegion();
}

const char *typeName(Ty type) {
  static const char *const names[] = {"none", "i1",  "i8",  "i16", "i32",
                                      "i64",  "f32", "f64", "ptr"};
  return uint8_t(type) < 9 ? names[uint8_t(type)] : "?";
}

uint32_t imageRegionCount(const void *image) {
  return countOf(rootOf(image)->regions());
}

static ImageVerdict
decodeInputs(const flatbuffers::Vector<const image::Input *> *from,
             Vec<InputInfo> &to) {
  if (countOf(from) > maxSlots)
    return {ImageError::RegionInputs};
  for (uint32_t i = 0, e = countOf(from); i < e; ++i) {
    const image::Input *input = from->Get(i);
    if (!to.push(
            {input->slot(), {static_cast<Ty>(input->type()), input->width()}}))
      return {ImageError::NoMemory};
  }
  return {};
}

/// Everything but the inputs, which belong to a graph.
static ImageVerdict decodeInterface(const image::Region *from,
                                    LoadedRegion &to) {
  to.name = copyOf(from->name());
  to.function = copyOf(from->function());
  to.file = copyOf(from->file());
  if (!to.name || !to.function || !to.file)
    return {ImageError::NoMemory};
  to.line = from->line();
  if (!to.name[0])
    return {ImageError::RegionName};
  if (countOf(from->slots()) > maxSlots)
    return {ImageError::RegionSlots};
  uint32_t names = countOf(from->slot_names());
  if (names != 0 && names != countOf(from->slots()))
    return {ImageError::RegionSlots};
  if (countOf(from->memories()) > maxSlots)
    return {ImageError::RegionMemories};
  if (countOf(from->outputs()) > maxSlots || countOf(from->outputs()) == 0)
    return {ImageError::RegionOutputs};
  for (uint32_t i = 0, e = countOf(from->slots()); i < e; ++i)
    if (!to.slots.push(static_cast<Ty>(from->slots()->Get(i))))
      return {ImageError::NoMemory};
  for (uint32_t i = 0, e = countOf(from->memories()); i < e; ++i) {
    const image::Memory *memory = from->memories()->Get(i);
    MemoryInfo info = {memory->slot(),
                       memory->partition(),
                       static_cast<Ty>(memory->element()),
                       memory->reads(),
                       memory->writes(),
                       memory->footprint_known(),
                       memory->lo(),
                       memory->hi(),
                       copyOf(memory->name())};
    if (!info.name || !to.memories.push(info)) {
      free(info.name);
      return {ImageError::NoMemory};
    }
  }
  for (uint32_t i = 0, e = countOf(from->outputs()); i < e; ++i) {
    const image::Output *output = from->outputs()->Get(i);
    if (!to.outputInfos.push(
            {{static_cast<Ty>(output->type()), output->width()},
             output->exit()}))
      return {ImageError::NoMemory};
  }
  return {};
}

static bool copyNumbers(const flatbuffers::Vector<uint32_t> *from,
                        Vec<uint32_t> &to) {
  uint32_t count = countOf(from);
  if (!to.assignZero(count))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    to[i] = from->Get(i);
  return true;
}

static ImageVerdict decodeGraph(const image::Graph *from, LoadedRegion &to) {
  if (!from)
    return {ImageError::GraphMissing};
  uint32_t count = countOf(from->actors());
  if (count > maxActors || countOf(from->operands()) > maxOperands ||
      countOf(from->outputs()) > maxSlots ||
      countOf(from->completes()) > maxOperands || from->values() > maxOperands)
    return {ImageError::GraphSize};
  to.values = from->values();
  if (!copyNumbers(from->operands(), to.operands) ||
      !copyNumbers(from->outputs(), to.outputs) ||
      !copyNumbers(from->completes(), to.completes) ||
      !to.actors.assignZero(count))
    return {ImageError::NoMemory};
  for (uint32_t i = 0; i < count; ++i) {
    const image::Actor *actor = from->actors()->Get(i);
    if (actor->reserved() != 0)
      return {ImageError::Reserved, i};
    to.actors[i] = {actor->imm(),
                    actor->first_operand(),
                    actor->first_result(),
                    actor->mem(),
                    actor->line(),
                    actor->num_operands(),
                    actor->num_results(),
                    static_cast<Kind>(actor->kind()),
                    static_cast<uint8_t>(actor->op()),
                    actor->pred(),
                    static_cast<Ty>(actor->type()),
                    static_cast<Ty>(actor->from()),
                    actor->width(),
                    actor->from_width()};
    // An operand type is only stated where it differs from the result's.
    ActorInfo &info = to.actors[i];
    if (info.kind == Kind::Compute && info.from == Ty::None &&
        info.fromWidth == 0) {
      info.from = info.type;
      info.fromWidth = info.width;
    }
  }
  return {};
}

static ImageVerdict decodeGuard(const image::Guard *from, GuardInfo &to) {
  if (countOf(from->nodes()) > maxGuardNodes)
    return {ImageError::GuardNodes};
  if (countOf(from->ranges()) > maxGuardRanges)
    return {ImageError::GuardRanges};
  if (countOf(from->pairs()) > maxGuardPairs)
    return {ImageError::GuardPairs};
  if (countOf(from->partitions()) > maxSlots)
    return {ImageError::GuardPartitions};
  bool good = copyNumbers(from->partitions(), to.partitions);
  for (uint32_t i = 0, e = countOf(from->nodes()); i < e && good; ++i) {
    const image::GuardNode *node = from->nodes()->Get(i);
    if (node->reserved() != 0 || node->reserved2() != 0)
      return {ImageError::Reserved, i};
    good = to.nodes.push({node->imm(), node->a(), node->b(),
                          static_cast<GuardOp>(node->op()), node->width()});
  }
  for (uint32_t i = 0, e = countOf(from->ranges()); i < e && good; ++i) {
    const image::GuardRange *range = from->ranges()->Get(i);
    good = to.ranges.push(
        {range->memory(), range->lo(), range->hi(), range->kinds()});
  }
  for (uint32_t i = 0, e = countOf(from->pairs()); i < e && good; ++i)
    good =
        to.pairs.push({from->pairs()->Get(i)->a(), from->pairs()->Get(i)->b()});
  return {good ? ImageError::None : ImageError::NoMemory};
}

static ImageVerdict
decodeOne(const image::Region *from,
          const flatbuffers::Vector<const image::Input *> *inputs,
          const image::Graph *graph, LoadedRegion &to) {
  ImageVerdict verdict = decodeInterface(from, to);
  if (verdict.ok())
    verdict = decodeInputs(inputs, to.inputs);
  if (verdict.ok())
    verdict = decodeGraph(graph, to);
  if (verdict.ok())
    verdict = checkRegion(to);
  return verdict;
}

ImageVerdict loadRegion(const void *image, uint32_t index,
                        LoadedRegion &region) {
  const image::Image *root = rootOf(image);
  if (index >= countOf(root->regions()))
    return {ImageError::RegionIndex, index};
  const image::Region *from = root->regions()->Get(index);
  ImageVerdict verdict = decodeOne(from, from->inputs(), from->graph(), region);
  if (const image::Guard *guard = from->guard(); guard && verdict.ok()) {
    region.apart = static_cast<LoadedRegion *>(malloc(sizeof(LoadedRegion)));
    if (region.apart) {
      *region.apart = LoadedRegion();
      verdict = decodeGuard(guard, region.guard);
    } else {
      verdict = {ImageError::NoMemory};
    }
    if (verdict.ok())
      verdict = decodeOne(from, guard->inputs(), guard->graph(), *region.apart);
    if (verdict.ok())
      verdict = checkGuard(region);
  }
  if (!verdict.ok())
    region.release();
  return verdict;
}

} // namespace loom::rt
