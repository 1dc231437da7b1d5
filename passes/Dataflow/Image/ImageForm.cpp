// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect says more than the image can carry: its tokens are scalars, and
// its graphs are launched by host code. The rest is refused by name.

#include "ImageForm.h"
#include "loom/Dataflow/IR/Schema.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Support/SourceLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

static bool hasImageType(Type type) {
  return isScalarTokenType(type) || isa<MemRefType>(type);
}

// Why the image has no form for `op`; empty if it has one.
static std::string whyNoImage(Operation &op) {
  const SchemaRow *row = lookupSchema(op.getName().getStringRef());
  bool isReturn = isa<GraphReturnOp>(op);
  if (!isReturn && (!row || !row->HasImage))
    return "has no form in the image";
  for (TypeRange types :
       {TypeRange(op.getOperandTypes()), TypeRange(op.getResultTypes())})
    for (Type type : types)
      if (!hasImageType(type)) {
        std::string text;
        llvm::raw_string_ostream(text) << "with a value of " << type;
        return text;
      }
  return "";
}

void loom::checkImageForm(GraphOp graph, SmallVectorImpl<Refused> &refusals) {
  auto refuse = [&](Operation &op, const Twine &detail) {
    refusals.push_back(
        {RefusalKind::DataflowOp, detail.str(), lineOf(op.getLoc())});
  };
  if (!graph.isRegion())
    refuse(*graph,
           "dataflow.graph @" + graph.getSymName() + " without launch slots");
  for (Type type : graph.getFunctionType().getInputs())
    if (!hasImageType(type)) {
      std::string text;
      llvm::raw_string_ostream(text) << "an input of " << type;
      refuse(*graph, text);
    }
  for (Operation &op : graph.getBlock())
    if (std::string why = whyNoImage(op); !why.empty())
      refuse(op, op.getName().getStringRef() + " " + why);
}

LogicalResult loom::checkImageModule(ModuleOp module,
                                     SmallVectorImpl<Refused> &refusals) {
  size_t before = refusals.size();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<GraphOp>(op))
      return WalkResult::skip();
    if (isa_and_nonnull<DataflowDialect>(op->getDialect()))
      refusals.push_back(
          {RefusalKind::DataflowOp,
           op->getName().getStringRef().str() + " has no form in the image",
           lineOf(op->getLoc())});
    return WalkResult::advance();
  });
  return success(refusals.size() == before);
}
