// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Artifact/SourceHints.h"

using namespace mlir;

void loom::bindSourceHint(Operation *op, Attribute hint) {
  Attribute old = op->getDiscardableAttr(sourceHintAttr);
  if (!old)
    return op->setDiscardableAttr(sourceHintAttr, hint);
  SmallVector<Attribute> hints;
  if (auto array = dyn_cast<ArrayAttr>(old))
    llvm::append_range(hints, array);
  else
    hints.push_back(old);
  hints.push_back(hint);
  op->setDiscardableAttr(sourceHintAttr,
                         ArrayAttr::get(op->getContext(), hints));
}

Attribute loom::consumeSourceHint(Operation *op) {
  Attribute hint = op->removeDiscardableAttr(sourceHintAttr);
  if (hint)
    op->setDiscardableAttr(consumedHintAttr, hint);
  return hint;
}

unsigned loom::discardSourceHints(Operation *root) {
  unsigned count = 0;
  root->walk([&](Operation *op) {
    if (op->removeDiscardableAttr(sourceHintAttr))
      ++count;
  });
  return count;
}
