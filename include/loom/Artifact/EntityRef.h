// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StructuredEntityRef: how a decision names an operation, region, block or
// value of one exact candidate.

#ifndef LOOM_ARTIFACT_ENTITYREF_H
#define LOOM_ARTIFACT_ENTITYREF_H

#include "loom/Artifact/Identity.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace loom {

enum class StructuredEntityKind : uint32_t {
  Operation = 0,
  Region = 1,
  Block = 2,
  Value = 3
};

struct StructuredEntityRef {
  ArtifactIdentity parent;
  StructuredEntityKind kind = StructuredEntityKind::Operation;
  uint64_t ordinal = 0;

  /// parent[32] || u32be(kind) || u64be(ordinal).
  std::string wire() const;
  /// RefLength or RefKind for bytes that are no reference.
  static llvm::Expected<StructuredEntityRef> fromWire(llvm::StringRef bytes);

  bool operator==(const StructuredEntityRef &o) const {
    return parent == o.parent && kind == o.kind && ordinal == o.ordinal;
  }
};

/// The entities of a canonical module, dense from 0 in each category, in
/// pre-order: an operation, its results, then each region, block and block
/// argument before what it holds. The module itself is operation 0.
class EntityIndex {
public:
  EntityIndex() = default;
  explicit EntityIndex(mlir::ModuleOp module);

  uint64_t count(StructuredEntityKind kind) const;
  mlir::Operation *operation(uint64_t n) const { return operations[n]; }
  mlir::Region *region(uint64_t n) const { return regions[n]; }
  mlir::Block *block(uint64_t n) const { return blocks[n]; }
  mlir::Value value(uint64_t n) const { return values[n]; }

  /// The ordinal of an entity, if it is one of the module.
  std::optional<uint64_t> find(mlir::Operation *op) const;
  std::optional<uint64_t> find(mlir::Region *region) const;
  std::optional<uint64_t> find(mlir::Block *block) const;
  std::optional<uint64_t> find(mlir::Value value) const;

private:
  void add(mlir::Operation *op);
  std::vector<mlir::Operation *> operations;
  std::vector<mlir::Region *> regions;
  std::vector<mlir::Block *> blocks;
  std::vector<mlir::Value> values;
  /// One map a category: addresses of a value and of an operation may coincide.
  llvm::DenseMap<const void *, uint64_t> operationOrdinals, regionOrdinals,
      blockOrdinals, valueOrdinals;
};

} // namespace loom

#endif
