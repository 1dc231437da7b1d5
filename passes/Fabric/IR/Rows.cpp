// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the rows of a target.

#include "loom/Fabric/IR/Fabric.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace loom::fabric;

static constexpr size_t maxEntries = 256;

static LogicalResult within(Operation *op, StringRef what, int64_t value,
                            int64_t low, int64_t high) {
  if (value >= low && value <= high)
    return success();
  return op->emitOpError() << "'" << what << "' must be " << low << " to "
                           << high << ", not " << value;
}

template <typename RowOp>
static LogicalResult checkCosts(RowOp op) {
  return success(
      succeeded(within(op, "count", int32_t(op.getCount()), 0, 1 << 20)) &&
      succeeded(within(op, "latency", int32_t(op.getLatency()), 0, 0xffff)) &&
      succeeded(within(op, "interval", int32_t(op.getInterval()), 1, 0xffff)));
}

namespace {
enum Allowed : unsigned {
  Integers = 1,
  Narrow = 2, // with i1
  Floats = 4,
  Pointers = 8,
  Nones = 16,
  Indices = 32
};
} // namespace

static bool isAllowed(Type type, unsigned allowed) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return integer.isSignless() &&
           ((width == 1 && (allowed & Narrow)) ||
            ((width == 8 || width == 16 || width == 32 || width == 64) &&
             (allowed & Integers)));
  }
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return allowed & Floats;
  return (isa<PointerType>(type) && (allowed & Pointers)) ||
         (isa<NoneType>(type) && (allowed & Nones)) ||
         (isa<IndexType>(type) && (allowed & Indices));
}

static LogicalResult checkTypes(Operation *op, StringRef what, ArrayAttr types,
                                unsigned allowed) {
  if (types.empty() || types.size() > maxEntries)
    return op->emitOpError()
           << "'" << what << "' must have 1 to " << maxEntries << " entries";
  llvm::SmallDenseSet<Type> seen;
  for (Type type : types.getAsValueRange<TypeAttr>()) {
    if (!isAllowed(type, allowed))
      return op->emitOpError() << "'" << what << "' can't have " << type;
    if (!seen.insert(type).second)
      return op->emitOpError() << "'" << what << "' has " << type << " twice";
  }
  return success();
}

static LogicalResult checkLanes(Operation *op, ArrayRef<int32_t> lanes,
                                bool onlyOne = false) {
  if (lanes.empty() || lanes.size() > maxEntries)
    return op->emitOpError("'lanes' must have 1 to 256 entries");
  for (auto [index, count] : llvm::enumerate(lanes)) {
    if (count < 1 || count > 1024 || (onlyOne && count != 1))
      return op->emitOpError() << "'lanes' can't have " << count;
    if (llvm::is_contained(lanes.take_front(index), count))
      return op->emitOpError() << "'lanes' has " << count << " twice";
  }
  return success();
}

LogicalResult AbiOp::verify() {
  if (failed(checkTypes(*this, "pointers", getPointers(), Pointers)))
    return failure();
  llvm::SmallDenseSet<unsigned> spaces;
  for (Type type : getPointers().getAsValueRange<TypeAttr>())
    if (!spaces.insert(cast<PointerType>(type).getSpace()).second)
      return emitOpError("has two pointers of one address space");
  ArrayRef<int32_t> widths = getIndexWidths();
  if (widths.empty() || widths.size() > 2 ||
      !llvm::all_of(widths, [](int32_t w) { return w == 32 || w == 64; }) ||
      (widths.size() == 2 && widths[0] == widths[1]))
    return emitOpError("'index' must be 32, 64 or both");
  if (getTriple() && (getTriple()->empty() || getTriple()->size() > 64))
    return emitOpError("'triple' must have 1 to 64 characters");
  return success();
}

LogicalResult SystemOp::verify() {
  return success(
      succeeded(within(*this, "cores", int32_t(getCores()), 1, 4096)) &&
      succeeded(
          within(*this, "clock_khz", int32_t(getClockKhz()), 1, 100000000)) &&
      succeeded(within(*this, "queue", int32_t(getQueue()), 1, 4096)) &&
      succeeded(within(*this, "launch", int32_t(getLaunch()), 0, INT32_MAX)) &&
      succeeded(
          within(*this, "transfer", int32_t(getTransfer()), 0, INT32_MAX)));
}

LogicalResult SystemMemoryOp::verify() {
  return success(
      succeeded(within(*this, "capacity", int64_t(getCapacity()), 0,
                       int64_t(1) << 48)) &&
      succeeded(within(*this, "ports", int32_t(getPorts()), 0, 1024)) &&
      succeeded(within(*this, "latency", int32_t(getLatency()), 0, 0xffff)) &&
      succeeded(within(*this, "bytes", int32_t(getBytes()), 0, 1 << 20)));
}

LogicalResult LocalMemoryOp::verify() {
  return success(
      succeeded(within(*this, "count", int32_t(getCount()), 1, 1 << 20)) &&
      succeeded(within(*this, "capacity", int64_t(getCapacity()), 1,
                       int64_t(1) << 48)) &&
      succeeded(within(*this, "banks", int32_t(getBanks()), 1, 1024)) &&
      succeeded(within(*this, "ports", int32_t(getPorts()), 1, 1024)) &&
      succeeded(within(*this, "latency", int32_t(getLatency()), 0, 0xffff)) &&
      succeeded(within(*this, "bytes", int32_t(getBytes()), 1, 1 << 20)));
}

/// `dialect.name`; the table of actors decides what it means.
static bool isOperationName(StringRef name) {
  return name.size() <= 128 && name.contains('.') && name.front() != '.' &&
         name.back() != '.' && llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '.' || c == '_';
         });
}

LogicalResult ComputeOp::verify() {
  if (getOps().empty() || getOps().size() > maxEntries)
    return emitOpError("'ops' must have 1 to 256 entries");
  llvm::StringSet<> seen;
  for (StringRef name : getOps().getAsValueRange<StringAttr>()) {
    if (!isOperationName(name))
      return emitOpError("'ops' has something that names no operation");
    if (!seen.insert(name).second)
      return emitOpError() << "'ops' has '" << name << "' twice";
  }
  unsigned data = Integers | Narrow | Floats | Pointers | Indices;
  if (failed(checkTypes(*this, "types", getTypes(), data)) ||
      (getFrom() && failed(checkTypes(*this, "from", *getFrom(), data))) ||
      failed(checkLanes(*this, getLanes())) || failed(checkCosts(*this)))
    return failure();
  bool approximates = false;
  if (getNeeds()) {
    llvm::StringSet<> flags;
    for (StringRef flag : getNeeds()->getAsValueRange<StringAttr>()) {
      if (!fastMathBit(flag))
        return emitOpError("'needs' has something that is no fast-math flag");
      if (!flags.insert(flag).second)
        return emitOpError() << "'needs' has '" << flag << "' twice";
      approximates |= flag == "afn";
    }
  }
  if (getGuarantees().value_or(Accuracy::CorrectlyRounded) !=
          Accuracy::CorrectlyRounded &&
      !approximates)
    return emitOpError("less than correct rounding must need 'afn'");
  return success();
}

LogicalResult StreamOp::verify() {
  return success(
      succeeded(checkTypes(*this, "types", getTypes(), Integers | Narrow)) &&
      succeeded(checkCosts(*this)));
}

LogicalResult TokenOp::verify() {
  bool fans = getKind() == TokenKind::Sync || getKind() == TokenKind::Mux ||
              getKind() == TokenKind::Demux;
  if (fans != getFan().has_value())
    return emitOpError("'fan' belongs to sync, mux and demux");
  if (fans && failed(within(*this, "fan", int32_t(*getFan()), 2, 0xffff)))
    return failure();
  unsigned tokens = Integers | Narrow | Floats | Pointers | Nones | Indices;
  return success(succeeded(checkTypes(*this, "types", getTypes(), tokens)) &&
                 succeeded(checkLanes(*this, getLanes())) &&
                 succeeded(checkCosts(*this)));
}

LogicalResult AccessOp::verify() {
  if (getMasked() && getForm() == AccessForm::Element)
    return emitOpError("an access of one element has no mask");
  return success(succeeded(checkTypes(*this, "types", getTypes(),
                                      Integers | Floats | Pointers)) &&
                 succeeded(checkLanes(*this, getLanes(),
                                      getForm() == AccessForm::Element)) &&
                 succeeded(checkCosts(*this)));
}
