// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Artifact/Identity.h"
#include "Wire.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace loom;

static constexpr StringLiteral semanticMagic =
    StringLiteral::withInnerNUL("loom.structured_program.semantic.v1\0");
static constexpr StringLiteral objectMagic("LOOMOBJ\n");

std::string ArtifactIdentity::hex() const {
  return toHex(ArrayRef<uint8_t>(bytes), /*LowerCase=*/true);
}

Expected<ArtifactIdentity> ArtifactIdentity::fromHex(StringRef text) {
  ArtifactIdentity identity;
  if (text.size() != 64 ||
      text.find_first_not_of("0123456789abcdef") != StringRef::npos)
    return artifactError(ArtifactFault::Malformed,
                         "an identity is 64 lower-case hexadecimal digits");
  for (unsigned i = 0; i < 32; ++i)
    identity.bytes[i] =
        hexDigitValue(text[2 * i]) * 16 + hexDigitValue(text[2 * i + 1]);
  return identity;
}

ArtifactIdentity ArtifactIdentity::of(StringRef bytes) {
  ArtifactIdentity identity;
  identity.bytes = SHA256::hash(arrayRefFromStringRef(bytes));
  return identity;
}

std::string loom::semanticBytes(StringRef bytecode) {
  std::string out(semanticMagic.data(), semanticMagic.size());
  wire::put<uint64_t>(out, bytecode.size());
  out.append(bytecode.data(), bytecode.size());
  return out;
}

Expected<StringRef> loom::bytecodeOf(StringRef semantic) {
  wire::Reader reader(semantic);
  if (reader.take(semanticMagic.size()) != semanticMagic)
    return artifactError(ArtifactFault::Malformed,
                         "no semantic bytes of a structured program");
  uint64_t length = reader.get<uint64_t>();
  if (reader.failed() || length != reader.left())
    return artifactError(ArtifactFault::Malformed,
                         "the length of the bytecode is wrong");
  if (length > maxArtifactBytes)
    return artifactError(ArtifactFault::TooLarge, Twine(length) + " bytes");
  return reader.take(length);
}

std::string loom::sealObject(StringRef semantic) {
  std::string out(objectMagic.data(), objectMagic.size());
  wire::putText(out, structuredProgramSchema);
  wire::put<uint32_t>(out, structuredProgramMajor);
  wire::put<uint32_t>(out, structuredProgramMinor);
  wire::put<uint64_t>(out, semantic.size());
  out.append(semantic.data(), semantic.size());
  ArtifactIdentity identity = ArtifactIdentity::of(semantic);
  out.append(reinterpret_cast<const char *>(identity.bytes.data()), 32);
  return out;
}

Expected<SealedObject> loom::openObject(StringRef object) {
  wire::Reader reader(object);
  if (reader.take(objectMagic.size()) != objectMagic)
    return artifactError(ArtifactFault::Malformed, "not an object");
  StringRef schema = reader.text();
  uint32_t major = reader.get<uint32_t>(), minor = reader.get<uint32_t>();
  uint64_t length = reader.get<uint64_t>();
  if (reader.failed() || length > maxArtifactBytes ||
      reader.left() != length + 32)
    return artifactError(ArtifactFault::Malformed,
                         "the object is cut off or too long");
  SealedObject sealed;
  sealed.semantic = reader.take(length);
  sealed.identity = ArtifactIdentity::of(sealed.semantic);
  StringRef digest = reader.take(32);
  // The digest before the schema: a flipped bit there is corruption too.
  if (digest != toStringRef(ArrayRef<uint8_t>(sealed.identity.bytes)))
    return artifactError(ArtifactFault::WrongDigest);
  if (schema != structuredProgramSchema || major != structuredProgramMajor ||
      minor != structuredProgramMinor)
    return artifactError(ArtifactFault::WrongSchema,
                         "this reader knows only " + structuredProgramSchema +
                             " " + Twine(structuredProgramMajor) + "." +
                             Twine(structuredProgramMinor));
  return sealed;
}
