// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Artifact/EntityRef.h"
#include "Wire.h"

using namespace mlir;
using namespace loom;

std::string StructuredEntityRef::wire() const {
  std::string out(reinterpret_cast<const char *>(parent.bytes.data()), 32);
  wire::put<uint32_t>(out, static_cast<uint32_t>(kind));
  wire::put<uint64_t>(out, ordinal);
  return out;
}

llvm::Expected<StructuredEntityRef>
StructuredEntityRef::fromWire(llvm::StringRef bytes) {
  if (bytes.size() != 32 + 4 + 8)
    return artifactError(ArtifactFault::RefLength,
                         llvm::Twine(bytes.size()) + " bytes, not 44");
  wire::Reader reader(bytes);
  StructuredEntityRef ref;
  llvm::copy(reader.take(32), ref.parent.bytes.begin());
  uint32_t kind = reader.get<uint32_t>();
  if (kind > static_cast<uint32_t>(StructuredEntityKind::Value))
    return artifactError(ArtifactFault::RefKind, llvm::Twine(kind));
  ref.kind = static_cast<StructuredEntityKind>(kind);
  ref.ordinal = reader.get<uint64_t>();
  return ref;
}

EntityIndex::EntityIndex(ModuleOp module) { add(module); }

void EntityIndex::add(Operation *op) {
  operationOrdinals[op] = operations.size();
  operations.push_back(op);
  auto addValue = [&](Value value) {
    valueOrdinals[value.getAsOpaquePointer()] = values.size();
    values.push_back(value);
  };
  for (Value result : op->getResults())
    addValue(result);
  for (Region &region : op->getRegions()) {
    regionOrdinals[&region] = regions.size();
    regions.push_back(&region);
    for (Block &block : region) {
      blockOrdinals[&block] = blocks.size();
      blocks.push_back(&block);
      for (Value argument : block.getArguments())
        addValue(argument);
      for (Operation &inner : block)
        add(&inner);
    }
  }
}

uint64_t EntityIndex::count(StructuredEntityKind kind) const {
  switch (kind) {
  case StructuredEntityKind::Operation:
    return operations.size();
  case StructuredEntityKind::Region:
    return regions.size();
  case StructuredEntityKind::Block:
    return blocks.size();
  case StructuredEntityKind::Value:
    return values.size();
  }
  return 0;
}

static std::optional<uint64_t>
lookup(const llvm::DenseMap<const void *, uint64_t> &map, const void *key) {
  auto it = map.find(key);
  return it == map.end() ? std::nullopt : std::optional<uint64_t>(it->second);
}

std::optional<uint64_t> EntityIndex::find(Operation *op) const {
  return lookup(operationOrdinals, op);
}
std::optional<uint64_t> EntityIndex::find(Region *region) const {
  return lookup(regionOrdinals, region);
}
std::optional<uint64_t> EntityIndex::find(Block *block) const {
  return lookup(blockOrdinals, block);
}
std::optional<uint64_t> EntityIndex::find(Value value) const {
  return lookup(valueOrdinals, value.getAsOpaquePointer());
}
