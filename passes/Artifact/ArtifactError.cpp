// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Artifact/ArtifactError.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

using namespace loom;

char ArtifactError::ID = 0;

namespace {
struct Row {
  const char *code;
  const char *text;
};
} // namespace

static const Row rows[] = {
#define LOOM_FAULT(Name, Code, Text) {Code, Text},
#include "loom/Artifact/Faults.def"
};

unsigned loom::numFaults() { return std::size(rows); }

llvm::StringRef loom::faultCode(ArtifactFault fault) {
  return rows[static_cast<unsigned>(fault)].code;
}

llvm::StringRef loom::faultText(ArtifactFault fault) {
  return rows[static_cast<unsigned>(fault)].text;
}

void ArtifactError::log(llvm::raw_ostream &os) const {
  os << faultCode(fault) << ": " << faultText(fault);
  if (!detail.empty())
    os << ": " << detail;
}

std::error_code ArtifactError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}
