// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed errors of the artifact room (table: Faults.def).

#ifndef LOOM_ARTIFACT_ARTIFACTERROR_H
#define LOOM_ARTIFACT_ARTIFACTERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace loom {

enum class ArtifactFault {
#define LOOM_FAULT(Name, Code, Text) Name,
#include "loom/Artifact/Faults.def"
};

/// The stable code, e.g. "unresolved-hint".
llvm::StringRef faultCode(ArtifactFault fault);
/// What the code means.
llvm::StringRef faultText(ArtifactFault fault);
/// Number of faults; they count from 0.
unsigned numFaults();

class ArtifactError : public llvm::ErrorInfo<ArtifactError> {
public:
  static char ID;
  ArtifactError(ArtifactFault fault, const llvm::Twine &detail)
      : fault(fault), detail(detail.str()) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  ArtifactFault fault;
  std::string detail; ///< what exactly; may be empty
};

inline llvm::Error artifactError(ArtifactFault fault,
                                 const llvm::Twine &detail = "") {
  return llvm::make_error<ArtifactError>(fault, detail);
}

} // namespace loom

#endif
