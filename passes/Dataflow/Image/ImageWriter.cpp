// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs to FlatBuffers, and the seal around them.

#include "loom/Dataflow/Image/ImageWriter.h"
#include "ImageForm.h"
#include "Numbering.h"
#include "loom/Dataflow/IR/Compute.h"
#include "loom/Dataflow/IR/Schema.h"
#include "loom/Dataflow/Image/TargetRows.h"
#include "loom/Image/loom_image_generated.h"
#include "loom/Image/loom_image_seal.h"
#include "loom/Support/SourceLine.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {

constexpr size_t maxOperands = 0xffff;
constexpr size_t maxActors = 1u << 22;
constexpr uint32_t noMemory = 0xffffffffu;

image::Type imageType(mlir::Type type) {
  if (!type || isa<NoneType>(type))
    return image::Type::None;
  if (type.isF32())
    return image::Type::F32;
  if (type.isF64())
    return image::Type::F64;
  if (isa<LLVM::LLVMPointerType>(type))
    return image::Type::Ptr;
  if (!type.isSignlessInteger())
    return image::Type::None;
  unsigned width = type.getIntOrFloatBitWidth();
  return width == 1    ? image::Type::I1
         : width <= 8  ? image::Type::I8
         : width <= 16 ? image::Type::I16
         : width <= 32 ? image::Type::I32
                       : image::Type::I64;
}

uint8_t imageWidth(mlir::Type type) {
  return type && type.isSignlessInteger() ? type.getIntOrFloatBitWidth() : 0;
}

image::Op stepOp(StepKind kind) {
  switch (kind) {
  case StepKind::Add:
    return image::Op::AddI;
  case StepKind::Sub:
    return image::Op::SubI;
  case StepKind::Mul:
    return image::Op::MulI;
  case StepKind::SDiv:
    return image::Op::DivSI;
  case StepKind::UDiv:
    return image::Op::DivUI;
  case StepKind::Shl:
    return image::Op::ShlI;
  case StepKind::AShr:
    return image::Op::ShrSI;
  case StepKind::LShr:
    return image::Op::ShrUI;
  }
  return image::Op::None;
}

/// The parts of an actor that its operation decides.
struct ActorForm {
  image::ActorKind kind = image::ActorKind::Compute;
  image::Op op = image::Op::None;
  uint8_t pred = 0;
  uint64_t imm = 0;
  mlir::Type type; // see Actor.type
  mlir::Type from; // see Actor.from
  Value memory;
  bool isMemory = false;
};

ActorForm formOf(Operation *op) {
  ActorForm form;
  const SchemaRow *row = lookupSchema(op->getName().getStringRef());
  form.kind = row->Kind;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    form.type = constant.getType();
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      form.imm = integer.getValue().getZExtValue();
    else
      form.imm = cast<FloatAttr>(constant.getValue())
                     .getValue()
                     .bitcastToAPInt()
                     .getZExtValue();
  } else if (isa<SyncOp>(op)) {
    // has no type of its own
  } else if (auto mux = dyn_cast<MuxOp>(op)) {
    form.type = mux.getType();
  } else if (auto demux = dyn_cast<DemuxOp>(op)) {
    form.type = demux.getValue().getType();
  } else if (auto stream = dyn_cast<StreamOp>(op)) {
    form.type = stream.getIv().getType();
    form.op = stepOp(stream.getKind());
    form.pred = static_cast<uint8_t>(stream.getPred());
  } else if (auto carry = dyn_cast<CarryOp>(op)) {
    form.type = carry.getType();
  } else if (auto invariant = dyn_cast<InvariantOp>(op)) {
    form.type = invariant.getType();
  } else if (auto gate = dyn_cast<GateOp>(op)) {
    form.type = gate.getValue().getType();
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    form.type = load.getData().getType();
    form.memory = load.getMemory();
    form.isMemory = true;
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    form.type = store.getData().getType();
    form.memory = store.getMemory();
    form.isMemory = true;
  } else {
    std::optional<ComputeActor> compute = lookupCompute(op);
    form.op = static_cast<image::Op>(compute ? compute->op : 0);
    form.pred = compute ? compute->pred : 0;
    form.type = op->getResult(0).getType();
    form.from = op->getOperand(0).getType();
  }
  return form;
}

/// The launch slots of the memories.
ArrayRef<int32_t> memorySlots(GraphOp graph) {
  return graph.getSlots().drop_front(graph.getNumValueInputs());
}

class Writer {
public:
  explicit Writer(flatbuffers::FlatBufferBuilder &builder) : fbb(builder) {}

  flatbuffers::Offset<image::Region> region(const ImageRegion &source) {
    GraphOp graph = source.graph;
    Numbering numbering(graph);
    DenseMap<Value, uint32_t> memoryIndex;
    for (auto [index, memory] : llvm::enumerate(graph.getMemories()))
      memoryIndex[memory] = index;

    auto graphOffset = this->graph(graph, numbering, memoryIndex);
    flatbuffers::Offset<image::Guard> guardOffset;
    if (source.guard.graph)
      guardOffset = guard(graph, source.guard);
    ArrayRef<int32_t> slots = graph.getSlots();
    unsigned numInputs = graph.getNumValueInputs();
    std::vector<flatbuffers::Offset<image::Memory>> memories;
    for (auto [index, memory] : llvm::enumerate(graph.getMemories()))
      memories.push_back(this->memory(source, memory, slots[numInputs + index],
                                      graph.getPartitions()[index]));
    std::vector<flatbuffers::Offset<image::Output>> outputs;
    for (auto [type, exit] :
         llvm::zip(graph.getFunctionType().getResults(), graph.getExits()))
      outputs.push_back(
          image::CreateOutput(fbb, imageType(type), imageWidth(type), exit));
    std::vector<image::Type> slotTypes;
    std::vector<flatbuffers::Offset<flatbuffers::String>> slotNames;
    for (const ImageSlot &slot : source.slots) {
      slotTypes.push_back(imageType(slot.type));
      slotNames.push_back(fbb.CreateString(slot.name));
    }
    auto name = fbb.CreateString(source.name);
    auto function = fbb.CreateString(source.function);
    auto file = fbb.CreateString(source.file);
    auto slotTypesOffset = fbb.CreateVector(slotTypes);
    auto slotNamesOffset = fbb.CreateVector(slotNames);
    auto inputsOffset = this->inputs(graph);
    auto memoriesOffset = fbb.CreateVector(memories);
    auto outputsOffset = fbb.CreateVector(outputs);
    auto object = fbb.CreateString(source.spatialObject);
    auto spatial = fbb.CreateString(source.spatial);
    auto check = fbb.CreateString(source.spatialCheck);
    auto refusal = fbb.CreateString(source.spatialRefusal);
    auto structured = fbb.CreateString(source.structured);
    return image::CreateRegion(
        fbb, name, function, file, source.line, source.column, slotTypesOffset,
        slotNamesOffset, inputsOffset, memoriesOffset, outputsOffset,
        graphOffset, object, spatial, check, refusal, structured, guardOffset);
  }

  flatbuffers::Offset<image::Candidate>
  candidate(const ImageCandidate &source) {
    auto function = fbb.CreateString(source.function);
    auto file = fbb.CreateString(source.file);
    auto code = fbb.CreateString(source.code);
    auto detail = fbb.CreateString(source.detail);
    return image::CreateCandidate(fbb, function, file, source.line,
                                  source.column, source.depth, source.loops,
                                  code, detail, source.region);
  }

private:
  flatbuffers::Offset<flatbuffers::Vector<const image::Input *>>
  inputs(GraphOp graph) {
    std::vector<image::Input> list;
    for (auto [slot, input] :
         llvm::zip(graph.getSlots(), graph.getValueInputs()))
      list.emplace_back(static_cast<uint32_t>(slot), imageType(input.getType()),
                        imageWidth(input.getType()));
    return fbb.CreateVectorOfStructs(list);
  }

  flatbuffers::Offset<image::Guard> guard(GraphOp graph,
                                          const ImageGuard &source) {
    const LaunchGuard &plan = source.plan;
    std::map<unsigned, uint32_t> memoryOfSlot;
    std::vector<uint32_t> partitions;
    for (auto [index, slot] : llvm::enumerate(memorySlots(graph))) {
      memoryOfSlot[slot] = index;
      partitions.push_back(static_cast<uint32_t>(plan.partitions[slot]));
    }
    GraphOp apart = source.graph;
    DenseMap<Value, uint32_t> memoryIndex;
    for (auto [slot, memory] :
         llvm::zip(memorySlots(apart), apart.getMemories()))
      memoryIndex[memory] = memoryOfSlot.at(slot);
    Numbering numbering(apart);
    auto graphOffset = this->graph(apart, numbering, memoryIndex);

    std::vector<image::GuardNode> nodes;
    for (const BoundNode &node : plan.nodes)
      nodes.emplace_back(
          node.imm, node.a, node.b, static_cast<image::GuardOp>(node.op),
          static_cast<uint8_t>(node.width), uint16_t(0), uint32_t(0));
    // Accesses that nothing depends on are not in the graphs.
    std::vector<image::GuardRange> ranges;
    std::vector<int64_t> rangeNumber;
    for (const LaunchGuard::Range &range : plan.ranges) {
      auto memory = memoryOfSlot.find(range.argument);
      rangeNumber.push_back(-1);
      if (memory == memoryOfSlot.end())
        continue;
      rangeNumber.back() = ranges.size();
      ranges.emplace_back(memory->second, range.lo, range.hi,
                          uint32_t(range.reads) + 2 * uint32_t(range.writes));
    }
    std::vector<image::GuardPair> pairs;
    for (auto [a, b] : plan.pairs)
      if (rangeNumber[a] >= 0 && rangeNumber[b] >= 0)
        pairs.emplace_back(static_cast<uint32_t>(rangeNumber[a]),
                           static_cast<uint32_t>(rangeNumber[b]));
    auto nodesOffset = fbb.CreateVectorOfStructs(nodes);
    auto rangesOffset = fbb.CreateVectorOfStructs(ranges);
    auto pairsOffset = fbb.CreateVectorOfStructs(pairs);
    auto partitionsOffset = fbb.CreateVector(partitions);
    auto inputsOffset = inputs(apart);
    return image::CreateGuard(fbb, nodesOffset, rangesOffset, pairsOffset,
                              partitionsOffset, inputsOffset, graphOffset);
  }

  flatbuffers::Offset<image::Graph>
  graph(GraphOp graph, const Numbering &numbering,
        const DenseMap<Value, uint32_t> &memoryIndex) {
    std::vector<image::Actor> actors;
    std::vector<uint32_t> operands, outputs, completes;
    for (Operation *op : numbering.actors) {
      ActorForm form = formOf(op);
      uint32_t first = operands.size();
      for (Value operand : op->getOperands())
        if (!isa<MemRefType>(operand.getType()))
          operands.push_back(numbering.values.lookup(operand));
      uint32_t firstResult =
          op->getNumResults() ? numbering.values.lookup(op->getResult(0)) : 0;
      uint32_t memory =
          form.memory ? memoryIndex.lookup(form.memory) : noMemory;
      actors.emplace_back(
          form.imm, first, firstResult, form.isMemory ? memory : noMemory,
          lineOf(op->getLoc()), static_cast<uint16_t>(operands.size() - first),
          static_cast<uint16_t>(op->getNumResults()), form.kind, form.op,
          form.pred, imageType(form.type), imageType(form.from),
          imageWidth(form.type), imageWidth(form.from), uint8_t(0));
    }
    for (Value v : graph.getReturn().getValues())
      outputs.push_back(numbering.values.lookup(v));
    for (Value v : graph.getReturn().getComplete())
      completes.push_back(numbering.values.lookup(v));
    auto actorsOffset = fbb.CreateVectorOfStructs(actors);
    auto operandsOffset = fbb.CreateVector(operands);
    auto outputsOffset = fbb.CreateVector(outputs);
    auto completesOffset = fbb.CreateVector(completes);
    return image::CreateGraph(fbb, actorsOffset, operandsOffset, outputsOffset,
                              completesOffset, numbering.numValues);
  }

  flatbuffers::Offset<image::Memory> memory(const ImageRegion &source,
                                            Value memory, unsigned slot,
                                            unsigned partition) {
    bool reads = false, writes = false;
    for (Operation *user : memory.getUsers())
      (isa<StoreOp>(user) ? writes : reads) = true;
    ImageMemory facts;
    for (const ImageMemory &known : source.memories)
      if (known.slot == slot)
        facts = known;
    std::string name = facts.name;
    if (name.empty() && slot < source.slots.size())
      name = source.slots[slot].name;
    auto nameOffset = fbb.CreateString(name);
    return image::CreateMemory(fbb, slot, partition, imageType(facts.element),
                               reads, writes, facts.known,
                               facts.known ? facts.lo : 0,
                               facts.known ? facts.hi : 0, nameOffset);
  }

  flatbuffers::FlatBufferBuilder &fbb;
};

} // namespace

LogicalResult loom::checkImageLimits(GraphOp graph,
                                     SmallVectorImpl<Refused> &refusals) {
  size_t count = 0, before = refusals.size();
  checkImageForm(graph, refusals);
  for (Operation &op : graph.getBlock()) {
    ++count;
    if (isa<GraphReturnOp>(op))
      continue;
    if (op.getNumOperands() > maxOperands || op.getNumResults() > maxOperands)
      refusals.push_back({RefusalKind::DataflowSize,
                          op.getName().getStringRef().str() + " with " +
                              std::to_string(std::max(op.getNumOperands(),
                                                      op.getNumResults())) +
                              " operands or results",
                          lineOf(op.getLoc())});
  }
  if (count > maxActors)
    refusals.push_back({RefusalKind::DataflowSize,
                        std::to_string(count) + " actors",
                        lineOf(graph.getLoc())});
  return success(refusals.size() == before);
}

FailureOr<std::vector<uint8_t>>
loom::writeImage(const ImageContents &contents,
                 SmallVectorImpl<Refused> &refusals) {
  size_t before = refusals.size();
  for (const ImageRegion &region : contents.regions) {
    (void)checkImageLimits(region.graph, refusals);
    if (region.guard.graph)
      (void)checkImageLimits(region.guard.graph, refusals);
  }
  if (refusals.size() != before)
    return failure();

  // The texts are most of it: without growing, step by step, to megabytes.
  size_t texts = 4096;
  for (const ImageRegion &region : contents.regions)
    texts += region.structured.size() + region.spatial.size() +
             region.spatialCheck.size();
  flatbuffers::FlatBufferBuilder fbb(2 * texts);
  Writer writer(fbb);
  std::vector<flatbuffers::Offset<image::Region>> regions;
  for (const ImageRegion &region : contents.regions)
    regions.push_back(writer.region(region));
  std::vector<flatbuffers::Offset<image::Candidate>> candidates;
  for (const ImageCandidate &candidate : contents.candidates)
    candidates.push_back(writer.candidate(candidate));
  auto producer = fbb.CreateString(contents.producer);
  auto output = fbb.CreateString(contents.output);
  auto regionsOffset = fbb.CreateVector(regions);
  auto candidatesOffset = fbb.CreateVector(candidates);
  flatbuffers::Offset<image::Target> target;
  if (contents.target)
    target = writeTarget(fbb, *contents.target);
  image::FinishImageBuffer(
      fbb, image::CreateImage(fbb, LOOM_IMAGE_VERSION, producer, output,
                              regionsOffset, candidatesOffset, target));

  size_t size = fbb.GetSize();
  XXH128_hash_t hash =
      XXH3_128bits_withSeed(fbb.GetBufferPointer(), size, LOOM_IMAGE_VERSION);
  loom_image_header header = {};
  std::memcpy(header.magic, LOOM_IMAGE_MAGIC, sizeof(header.magic));
  header.version = LOOM_IMAGE_VERSION;
  header.header_size = LOOM_IMAGE_HEADER_SIZE;
  header.payload_size = size;
  header.hash_lo = hash.low64;
  header.hash_hi = hash.high64;
  static_assert(sizeof(header) == LOOM_IMAGE_HEADER_SIZE, "header layout");
  std::vector<uint8_t> bytes(sizeof(header) + size);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), fbb.GetBufferPointer(), size);
  return bytes;
}
