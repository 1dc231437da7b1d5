// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operand and result types of the compute operations.

#ifndef LOOM_RUNTIME_IMAGE_SIGNATURE_H
#define LOOM_RUNTIME_IMAGE_SIGNATURE_H

#include "Image/ImageError.h"
#include "Image/Region.h"

namespace loom::rt {

enum class Form : uint8_t {
  None,
  Int,        // integers of the result's type
  CompareInt, // integers or pointers of type `from`; result i1
  Select,
  Widen,  // integer to a wider integer
  Narrow, // integer to a narrower integer
  Float,  // floats of the result's type
  CompareFloat,
  IntToFloat,
  FloatToInt,
  WidenFloat,
  NarrowFloat,
  Bitcast,
  PointerAdd,
  PointerToInt,
  IntToPointer,
  Copy
};

struct Signature {
  Form form;
  uint8_t operands;
};

/// `op` is a number of loom::image::Op; Form::None when it has no meaning.
Signature signatureOf(uint8_t op);

/// Whether a stream may step with this operation.
bool isStepKind(uint8_t op);

/// Rules on the actor's own fields (type, width, predicate).
ImageError checkCompute(const ActorInfo &actor);

/// Whether the operands have the types that the actor asks for.
bool computeOperandsMatch(const ActorInfo &actor, const ValueType *operands);

} // namespace loom::rt

#endif
