// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of an artifact, its semantic bytes and the sealed object that
// carries both outside the process.

#ifndef LOOM_ARTIFACT_IDENTITY_H
#define LOOM_ARTIFACT_IDENTITY_H

#include "loom/Artifact/ArtifactError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace loom {

/// SHA-256 of the semantic bytes.
struct ArtifactIdentity {
  std::array<uint8_t, 32> bytes{};

  std::string hex() const;
  /// 64 lower-case hexadecimal digits; Malformed for anything else.
  static llvm::Expected<ArtifactIdentity> fromHex(llvm::StringRef text);
  /// Of any bytes.
  static ArtifactIdentity of(llvm::StringRef bytes);

  bool operator==(const ArtifactIdentity &o) const { return bytes == o.bytes; }
  bool operator!=(const ArtifactIdentity &o) const { return bytes != o.bytes; }
  bool operator<(const ArtifactIdentity &o) const { return bytes < o.bytes; }
};

/// The schema: `loom.structured_program 1.0`.
inline constexpr llvm::StringLiteral structuredProgramSchema =
    "loom.structured_program";
inline constexpr uint32_t structuredProgramMajor = 1;
inline constexpr uint32_t structuredProgramMinor = 0;

/// No artifact is larger than this.
inline constexpr uint64_t maxArtifactBytes = uint64_t(1) << 31;

/// "loom.structured_program.semantic.v1\0" || u64be(length) || bytecode.
std::string semanticBytes(llvm::StringRef bytecode);
/// The bytecode inside; Malformed unless framed exactly so.
llvm::Expected<llvm::StringRef> bytecodeOf(llvm::StringRef semantic);

/// An object: magic, schema, version, length, the semantic bytes and their
/// SHA-256. The digest lets a reader refuse corrupted bytes before it parses.
std::string sealObject(llvm::StringRef semantic);

struct SealedObject {
  llvm::StringRef semantic; ///< into the bytes that were opened
  ArtifactIdentity identity;
};
/// Checks everything but the bytecode.
llvm::Expected<SealedObject> openObject(llvm::StringRef object);

} // namespace loom

#endif
