// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target as plain values, independent of the context that its text was parsed
// in. The one source of what the compiler knows of the device.

#ifndef LOOM_FABRIC_CAPABILITY_TARGET_H
#define LOOM_FABRIC_CAPABILITY_TARGET_H

#include "loom/Artifact/Identity.h"
#include "loom/Fabric/IR/Fabric.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace loom::fabric {

/// The type of one lane of a token.
struct Element {
  enum Kind : uint8_t { None, Integer, Float, BFloat, Index, Pointer };
  Kind kind = None;
  uint16_t bits = 0;
  uint32_t space = 0; ///< of a pointer

  auto key() const { return std::make_tuple(kind, bits, space); }
  bool operator==(const Element &o) const { return key() == o.key(); }
  bool operator<(const Element &o) const { return key() < o.key(); }
  /// "i32", "bf16", "ptr<0, 64>", ...
  std::string str() const;
};

struct Costs {
  uint32_t count = 0;
  uint16_t latency = 0;
  uint16_t interval = 1;
};

struct Abi {
  std::vector<Element> pointers;
  Endianness endianness = Endianness::Little;
  std::vector<unsigned> indexWidths;
  std::string triple; ///< how the triple begins; empty: anything
};

struct System {
  uint32_t cores = 1;
  uint32_t clockKHz = 1;
  uint32_t queue = 1;
  uint32_t launch = 0;
  uint32_t transfer = 0;
};

struct SystemMemory {
  uint64_t capacity = 0;
  uint32_t ports = 0;
  uint32_t latency = 0;
  uint32_t bytes = 0;
};

struct LocalMemory {
  uint32_t count = 1;
  uint64_t capacity = 0;
  uint32_t banks = 1;
  uint32_t ports = 1;
  uint32_t latency = 0;
  uint32_t bytes = 0;
};

struct ComputeRow {
  std::vector<std::string> ops;
  std::vector<Element> types;
  std::vector<Element> from; ///< empty: no conversion
  std::vector<unsigned> lanes;
  unsigned needs = 0; ///< bits of fastMathBit
  Accuracy guarantees = Accuracy::CorrectlyRounded;
  Costs costs;
};

struct StreamRow {
  StepKind step = StepKind::Add;
  std::vector<Element> types;
  Costs costs;
};

struct TokenRow {
  TokenKind kind = TokenKind::Constant;
  unsigned fan = 0; ///< 0: the kind has none
  std::vector<Element> types;
  std::vector<unsigned> lanes;
  Costs costs;
};

struct AccessRow {
  AccessKind kind = AccessKind::Load;
  AccessForm form = AccessForm::Element;
  AddressForm address = AddressForm::Root;
  Ordering ordering = Ordering::Plain;
  std::vector<Element> types;
  std::vector<unsigned> lanes;
  bool masked = false;
  Costs costs;
};

struct Target {
  std::string name;
  ArtifactIdentity identity; ///< of canonicalForm()
  Abi abi;
  System system;
  SystemMemory systemMemory;
  std::vector<LocalMemory> localMemories;
  std::vector<ComputeRow> compute;
  std::vector<StreamRow> streams;
  std::vector<TokenRow> tokens;
  std::vector<AccessRow> accesses;
};

/// The values of a verified operation. Lists are sorted, rows are not.
Target modelOf(TargetOp op);

/// The bytes that the identity is the SHA-256 of, framed like those of other
/// artifacts: a domain string, the length, one sorted line a row.
std::string canonicalForm(const Target &target);

/// The element type of a token type, a number of lanes beside it: vectors of
/// one dimension have several. Nothing for other types. Integers as the units
/// see them, in the next width of 1, 8, 16, 32, 64. Pointers of other dialects
/// are for the caller.
std::optional<std::pair<Element, unsigned>> elementOf(mlir::Type type);

} // namespace loom::fabric

#endif
