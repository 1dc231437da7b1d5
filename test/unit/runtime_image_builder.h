// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds images by hand for the tests of the runtime: actors are appended in
// order, a value that is used before it is made is a `later()` that is bound
// afterwards.

#ifndef LOOM_TEST_UNIT_RUNTIME_IMAGE_BUILDER_H
#define LOOM_TEST_UNIT_RUNTIME_IMAGE_BUILDER_H

#include "Image/Flat.h"
#include "Image/Reader.h"
#include "Image/Region.h"
#include "loom/Image/loom_image_seal.h"
#include "loom/Runtime/loom_rt.h"

#define XXH_INLINE_ALL
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include <xxhash.h>

namespace rttest {

namespace image = loom::image;
using image::ActorKind;
using image::Op;
using image::Type;
using Value = uint32_t;

constexpr uint32_t noMemory = 0xffffffffu;

inline uint8_t fullWidth(Type type) {
  switch (type) {
  case Type::I1:
    return 1;
  case Type::I8:
    return 8;
  case Type::I16:
    return 16;
  case Type::I32:
    return 32;
  case Type::I64:
    return 64;
  default:
    return 0;
  }
}

/// A type with its width; from a Type, the full width.
struct T {
  Type type;
  uint8_t width;
  T(Type type) : type(type), width(fullWidth(type)) {}
  T(Type type, unsigned width) : type(type), width(uint8_t(width)) {}
};

/// The narrowest type that holds an integer of the width.
inline T intType(unsigned width) {
  return {width == 1    ? Type::I1
          : width <= 8  ? Type::I8
          : width <= 16 ? Type::I16
          : width <= 32 ? Type::I32
                        : Type::I64,
          width};
}

struct Slot {
  Type type;
  std::string name;
};
struct Mem {
  uint32_t slot;
  uint32_t partition = 0;
  Type element = Type::None;
  bool reads = true;
  bool writes = true;
  bool known = false;
  int64_t lo = 0;
  int64_t hi = 0;
  std::string name = {};
};
struct Out {
  T type;
  int32_t exit;
  Value value;
};

class RegionBuilder;

/// A launch guard in the making; the graph is that of another builder.
struct GuardBuilder {
  std::vector<image::GuardNode> nodes;
  std::vector<image::GuardRange> ranges;
  std::vector<image::GuardPair> pairs;
  std::vector<uint32_t> partitions;
  std::shared_ptr<RegionBuilder> graph;

  uint32_t node(image::GuardOp op, uint32_t a = 0, uint32_t b = 0,
                int64_t imm = 0, unsigned width = 0) {
    nodes.emplace_back(imm, a, b, op, uint8_t(width), uint16_t(0), 0u);
    return uint32_t(nodes.size() - 1);
  }
  uint32_t range(uint32_t memory, uint32_t lo, uint32_t hi, uint32_t kinds) {
    ranges.emplace_back(memory, lo, hi, kinds);
    return uint32_t(ranges.size() - 1);
  }
  void disjoint(uint32_t a, uint32_t b) { pairs.emplace_back(a, b); }
};

class RegionBuilder {
public:
  std::shared_ptr<GuardBuilder> guard;
  std::string name = "test.0";
  std::string function = "test";
  std::string file = "test.c";
  uint32_t line = 7;
  std::vector<Slot> slots;
  std::vector<Mem> memories;
  std::vector<image::Actor> actors;
  std::vector<uint32_t> operands;
  std::vector<Out> outs;
  std::vector<Value> completes;
  struct In {
    uint32_t slot;
    T type;
  };
  std::vector<In> inputs;
  uint32_t values = 1;

  static constexpr Value start = 0;

  uint32_t slot(Type type, const std::string &name = "") {
    slots.push_back({type, name});
    return uint32_t(slots.size() - 1);
  }
  /// Inputs come before all actors.
  Value input(uint32_t slot, T type) {
    inputs.push_back({slot, type});
    return values++;
  }
  Value input(T type, const std::string &name = "") {
    return input(slot(type.type, name), type);
  }
  uint32_t memory(const Mem &mem) {
    memories.push_back(mem);
    return uint32_t(memories.size() - 1);
  }

  Value later() { return 0x80000000u | laters++; }
  void bind(Value later, Value value) { bound[later] = value; }

  Value actor(ActorKind kind, const std::vector<Value> &from, unsigned results,
              T type, Op op = Op::None, unsigned pred = 0, uint64_t imm = 0,
              uint32_t mem = noMemory, T fromType = T(Type::None)) {
    Value first = values;
    actors.emplace_back(imm, uint32_t(operands.size()), first, mem, line,
                        uint16_t(from.size()), uint16_t(results), kind, op,
                        uint8_t(pred), type.type, fromType.type, type.width,
                        fromType.width, uint8_t(0));
    operands.insert(operands.end(), from.begin(), from.end());
    values += results;
    return first;
  }

  Value constant(Value ctrl, T type, uint64_t bits) {
    return actor(ActorKind::Constant, {ctrl}, 1, type, Op::None, 0, bits);
  }
  Value sync(const std::vector<Value> &from) {
    return actor(ActorKind::Sync, from, unsigned(from.size()), T(Type::None));
  }
  Value mux(Value sel, std::vector<Value> lanes, T type) {
    lanes.insert(lanes.begin(), sel);
    return actor(ActorKind::Mux, lanes, 1, type);
  }
  Value demux(Value sel, Value value, T type, unsigned lanes = 2) {
    return actor(ActorKind::Demux, {sel, value}, lanes, type);
  }
  /// iv; phase is the value after it.
  Value stream(Value init, Value limit, Value step, T type = Type::I64,
               Op kind = Op::AddI, unsigned pred = 2) {
    return actor(ActorKind::Stream, {init, limit, step}, 2, type, kind, pred);
  }
  Value carry(Value phase, Value init, Value next, T type) {
    return actor(ActorKind::Carry, {phase, init, next}, 1, type);
  }
  Value invariant(Value phase, Value init, T type) {
    return actor(ActorKind::Invariant, {phase, init}, 1, type);
  }
  /// cond; the value is after it.
  Value gate(Value cond, Value value, T type) {
    return actor(ActorKind::Gate, {cond, value}, 2, type);
  }
  /// data; done is the value after it.
  Value load(uint32_t mem, Value address, Value ctrl, T type) {
    return actor(ActorKind::Load, {address, ctrl}, 2, type, Op::None, 0, 0,
                 mem);
  }
  Value store(uint32_t mem, Value address, Value data, Value ctrl, T type) {
    return actor(ActorKind::Store, {address, data, ctrl}, 1, type, Op::None, 0,
                 0, mem);
  }
  Value compute(Op op, const std::vector<Value> &from, T type,
                T fromType = T(Type::None), unsigned pred = 0) {
    return actor(ActorKind::Compute, from, 1, type, op, pred, 0, noMemory,
                 fromType);
  }
  void output(Value value, T type, int32_t exit = -1) {
    outs.push_back({type, exit, value});
  }
  void complete(Value value) { completes.push_back(value); }

  /// The exit selector 0, from the start token.
  void exitZero() { output(constant(start, Type::I32, 0), Type::I32); }

  Value resolve(Value value) const {
    auto found = bound.find(value);
    return found == bound.end() ? value : found->second;
  }

  flatbuffers::Offset<image::Graph>
  finishGraph(flatbuffers::FlatBufferBuilder &fbb) const {
    std::vector<uint32_t> numbers, outNumbers, completeNumbers;
    for (Value value : operands)
      numbers.push_back(resolve(value));
    for (const Out &out : outs)
      outNumbers.push_back(resolve(out.value));
    for (Value value : completes)
      completeNumbers.push_back(resolve(value));
    return image::CreateGraph(fbb, fbb.CreateVectorOfStructs(actors),
                              fbb.CreateVector(numbers),
                              fbb.CreateVector(outNumbers),
                              fbb.CreateVector(completeNumbers), values);
  }

  auto finishInputs(flatbuffers::FlatBufferBuilder &fbb) const {
    std::vector<image::Input> ins;
    for (const In &input : inputs)
      ins.emplace_back(input.slot, input.type.type, input.type.width);
    return fbb.CreateVectorOfStructs(ins);
  }

  flatbuffers::Offset<image::Guard>
  finishGuard(flatbuffers::FlatBufferBuilder &fbb) const {
    if (!guard)
      return 0;
    auto nodes = fbb.CreateVectorOfStructs(guard->nodes);
    auto ranges = fbb.CreateVectorOfStructs(guard->ranges);
    auto pairs = fbb.CreateVectorOfStructs(guard->pairs);
    auto partitions = fbb.CreateVector(guard->partitions);
    if (!guard->graph)
      return image::CreateGuard(fbb, nodes, ranges, pairs, partitions);
    auto ins = guard->graph->finishInputs(fbb);
    auto graph = guard->graph->finishGraph(fbb);
    return image::CreateGuard(fbb, nodes, ranges, pairs, partitions, ins,
                              graph);
  }

  flatbuffers::Offset<image::Region>
  finish(flatbuffers::FlatBufferBuilder &fbb) const {
    auto graph = finishGraph(fbb);
    auto guardTable = finishGuard(fbb);
    std::vector<Type> types;
    std::vector<flatbuffers::Offset<flatbuffers::String>> names;
    for (const Slot &slot : slots) {
      types.push_back(slot.type);
      names.push_back(fbb.CreateString(slot.name));
    }
    std::vector<flatbuffers::Offset<image::Memory>> mems;
    for (const Mem &mem : memories)
      mems.push_back(image::CreateMemory(
          fbb, mem.slot, mem.partition, mem.element, mem.reads, mem.writes,
          mem.known, mem.lo, mem.hi, fbb.CreateString(mem.name)));
    std::vector<flatbuffers::Offset<image::Output>> outputs;
    for (const Out &out : outs)
      outputs.push_back(
          image::CreateOutput(fbb, out.type.type, out.type.width, out.exit));
    auto nameText = fbb.CreateString(name);
    auto functionText = fbb.CreateString(function);
    auto fileText = fbb.CreateString(file);
    auto typesVector = fbb.CreateVector(types);
    auto namesVector = fbb.CreateVector(names);
    auto insVector = finishInputs(fbb);
    auto memsVector = fbb.CreateVector(mems);
    auto outsVector = fbb.CreateVector(outputs);
    return image::CreateRegion(fbb, nameText, functionText, fileText, line, 1,
                               typesVector, namesVector, insVector, memsVector,
                               outsVector, graph, 0, 0, 0, 0, 0, guardTable);
  }

private:
  uint32_t laters = 0;
  std::map<Value, Value> bound;
};

using Bytes = std::vector<uint8_t>;

/// Recomputes the hash of sealed bytes.
inline void reseal(Bytes &bytes) {
  loom_image_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.payload_size = bytes.size() - sizeof(header);
  XXH128_hash_t hash = XXH3_128bits_withSeed(
      bytes.data() + sizeof(header), header.payload_size, header.version);
  header.hash_lo = hash.low64;
  header.hash_hi = hash.high64;
  std::memcpy(bytes.data(), &header, sizeof(header));
}

/// What an image says of its target; good as it stands.
struct TargetFields {
  std::string name = "tiny-1.0_x";
  std::string identity = std::string(60, '0') + "9abf";
  std::vector<image::TimingRow> rows;
  uint32_t queueCapacity = 3;
  uint32_t ports = 2;
  uint32_t memoryBytes = 16;
  uint32_t launchCycles = 70;
  uint32_t transferCycles = 5;
  uint32_t clockKHz = 800000;
  uint32_t cores = 4;
  uint64_t localCapacity = 4096;
  uint32_t localPorts = 6;
  uint64_t localBytes = 48;

  TargetFields &row(ActorKind kind, Op op, Type type, unsigned latency,
                    unsigned interval = 1, unsigned reserved = 0) {
    rows.emplace_back(uint16_t(latency), uint16_t(interval), kind, op, type,
                      uint8_t(reserved));
    return *this;
  }

  flatbuffers::Offset<image::Target>
  finish(flatbuffers::FlatBufferBuilder &fbb) const {
    auto nameOffset = fbb.CreateString(name);
    auto identityOffset = fbb.CreateString(identity);
    auto rowsOffset = fbb.CreateVectorOfStructs(rows);
    return image::CreateTarget(fbb, nameOffset, identityOffset, rowsOffset,
                               queueCapacity, ports, memoryBytes, launchCycles,
                               transferCycles, clockKHz, cores, localCapacity,
                               localPorts, localBytes);
  }
};

inline Bytes seal(const std::vector<const RegionBuilder *> &regions,
                  const TargetFields *target = nullptr) {
  flatbuffers::FlatBufferBuilder fbb;
  std::vector<flatbuffers::Offset<image::Region>> offsets;
  for (const RegionBuilder *region : regions)
    offsets.push_back(region->finish(fbb));
  auto regionsVector = fbb.CreateVector(offsets);
  auto producer = fbb.CreateString("test");
  flatbuffers::Offset<image::Target> targetOffset;
  if (target)
    targetOffset = target->finish(fbb);
  image::FinishImageBuffer(fbb, image::CreateImage(fbb, LOOM_IMAGE_VERSION,
                                                   producer, 0, regionsVector,
                                                   0, targetOffset));
  loom_image_header header = {};
  std::memcpy(header.magic, LOOM_IMAGE_MAGIC, sizeof(header.magic));
  header.version = LOOM_IMAGE_VERSION;
  header.header_size = LOOM_IMAGE_HEADER_SIZE;
  Bytes bytes(sizeof(header) + fbb.GetSize());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), fbb.GetBufferPointer(),
              fbb.GetSize());
  reseal(bytes);
  return bytes;
}

/// A guard's region structure for an image.
inline loom_rt_region guardOf(const Bytes &bytes, uint32_t index = 0) {
  return {LOOM_RT_ABI,  index,  LOOM_RT_STATE_ASK, 0, bytes.data(),
          bytes.size(), nullptr};
}

} // namespace rttest

#endif
