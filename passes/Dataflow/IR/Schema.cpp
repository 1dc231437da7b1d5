// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admission: which operations are actors, by the table.

#include "loom/Dataflow/IR/Schema.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace loom::dataflow {

namespace schema_table {
#define GET_SchemaRows_DECL
#define GET_SchemaRows_IMPL
#define GET_AttributeRows_DECL
#define GET_AttributeRows_IMPL
#include "loom/Dataflow/IR/Schemas.inc"
} // namespace schema_table
using schema_table::AttributeRows;
using schema_table::SchemaRows;

const SchemaRow *lookupSchema(StringRef op) {
  static const llvm::StringMap<const SchemaRow *> rows = [] {
    llvm::StringMap<const SchemaRow *> map;
    for (const SchemaRow &row : SchemaRows)
      map[row.Op] = &row;
    return map;
  }();
  return rows.lookup(op);
}

std::optional<AttributeUse> lookupAttribute(StringRef op, StringRef attribute) {
  static const auto rows = [] {
    llvm::StringMap<SmallVector<const AttributeRow *, 2>> map;
    for (const AttributeRow &row : AttributeRows)
      map[row.Op].push_back(&row);
    return map;
  }();
  auto it = rows.find(op);
  if (it != rows.end())
    for (const AttributeRow *row : it->second)
      if (attribute == row->Name)
        return row->Use;
  return std::nullopt;
}

std::string findUnclassified(Operation *op, bool discardable) {
  StringRef name = op->getName().getStringRef();
  auto find = [&](ArrayRef<NamedAttribute> attributes) {
    for (NamedAttribute attribute : attributes)
      if (!lookupAttribute(name, attribute.getName()))
        return attribute.getName().str();
    return std::string();
  };
  if (Attribute inherent = op->getPropertiesAsAttribute())
    if (auto dictionary = dyn_cast<DictionaryAttr>(inherent))
      if (std::string found = find(dictionary.getValue()); !found.empty())
        return found;
  // Without properties the inherent ones are among these.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if ((discardable || op->getInherentAttr(attribute.getName())) &&
        !lookupAttribute(name, attribute.getName()))
      return attribute.getName().str();
  return "";
}

// The type of one lane.
static Type laneType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

static bool isNumberOrPointer(Type type) {
  return isTokenType(type) && !isa<NoneType>(type) &&
         !isa<IndexType>(laneType(type));
}

static std::string checkForm(Operation *op, SchemaForm form) {
  auto types = llvm::to_vector(
      llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                               llvm::to_vector(op->getResultTypes())));
  bool positions = form == SchemaForm::IndexCast || form == SchemaForm::Lanes;
  for (Type type : types)
    if (!isNumberOrPointer(type) && !(positions && type.isIndex())) {
      std::string text;
      llvm::raw_string_ostream(text) << "with a value of " << type;
      return text;
    }
  switch (form) {
  case SchemaForm::Address: {
    auto gep = cast<LLVM::GEPOp>(op);
    if (!gep.getElemType().isInteger(8))
      return "with another element type than i8";
    if (op->getNumOperands() != 2 || gep.getRawConstantIndices().size() != 1)
      return "without exactly one dynamic index";
    if (!laneType(op->getOperand(1).getType()).isSignlessInteger(64))
      return "with an index that isn't i64";
    return "";
  }
  case SchemaForm::PointerCast:
    for (Type type : types)
      if (!isPointerType(laneType(type)) &&
          !laneType(type).isSignlessInteger(64))
        return "with an integer that isn't i64";
    return "";
  case SchemaForm::IndexCast:
    for (Type type : types)
      if (!type.isIndex() && !type.isSignlessInteger(64))
        return "with an integer that isn't i64";
    return "";
  case SchemaForm::WholeBytes:
    if (laneType(types.back()).getIntOrFloatBitWidth() % 16 != 0)
      return "of an odd number of bytes";
    return "";
  default:
    return "";
  }
}

std::string whyNoActor(Operation *op) {
  const SchemaRow *row = lookupSchema(op->getName().getStringRef());
  if (!row)
    return "has no row in the table of actors";
  if (row->Form == SchemaForm::Refused)
    return row->Text;
  if (std::string name = findUnclassified(op, /*discardable=*/true);
      !name.empty())
    return "has an attribute without a class: '" + name + "'";
  if (row->Form == SchemaForm::Actor)
    return "";
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumSuccessors() != 0)
    return "with another number of results than one, or with regions";
  return checkForm(op, row->Form);
}

} // namespace loom::dataflow
