// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets as text: `loom target` runs this pass on a module whose attribute
// `loom.target` names one; without the attribute the built-in ones are listed.
// A second pass asks a target whether it admits the graphs of a module.

#include "loom/Dataflow/Verify/Admit.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using namespace loom::fabric;
using llvm::formatv;

static std::string join(ArrayRef<Element> list) {
  std::string text;
  for (const Element &element : list)
    text += (text.empty() ? "" : " ") + element.str();
  return text;
}

static std::string lanesText(ArrayRef<unsigned> list) {
  std::string text;
  for (unsigned lanes : list)
    text += (text.empty() ? "x" : " x") + std::to_string(lanes);
  return text;
}

static std::string orUnbounded(uint64_t value, llvm::StringRef unit) {
  return value ? std::to_string(value) + unit.str() : "unbounded";
}

namespace {
/// What a row serves, then its units, latency and interval.
struct Printer {
  llvm::raw_ostream &out;
  void row(const Costs &costs, const llvm::Twine &what) {
    out << formatv("{0,7} {1,7} {2,8}  ", costs.count, costs.latency,
                   costs.interval)
        << what << "\n";
  }
};
} // namespace

static std::string describe(const ComputeRow &row) {
  std::string text;
  for (const std::string &op : row.ops)
    text += (text.empty() ? "" : " ") + op;
  if (!row.from.empty())
    text += " from " + join(row.from) + " to";
  else
    text += " on";
  text += " " + join(row.types) + " " + lanesText(row.lanes);
  if (row.needs) {
    text += " needs";
    for (llvm::StringRef flag : fastMathNames())
      if (row.needs & *fastMathBit(flag))
        text += " " + flag.str();
  }
  if (row.guarantees != Accuracy::CorrectlyRounded)
    text += " guarantees " + stringifyAccuracy(row.guarantees).str();
  return text;
}

static void print(const Target &target, llvm::raw_ostream &out) {
  const System &system = target.system;
  out << "target " << target.name << "\nidentity " << target.identity.hex()
      << "\n\n"
      << system.cores << " cores at " << system.clockKHz << " kHz; queues of "
      << system.queue << " tokens; a launch takes " << system.launch
      << " cycles";
  if (system.transfer)
    out << ", and " << system.transfer << " for each 64 bytes it moves";
  const SystemMemory &memory = target.systemMemory;
  out << "\nsystem memory: capacity " << orUnbounded(memory.capacity, " bytes")
      << ", "
      << (memory.ports ? std::to_string(memory.ports) + " ports a core"
                       : "a port for every access")
      << ", latency " << memory.latency << ", bandwidth "
      << orUnbounded(memory.bytes, " bytes a cycle") << "\n";
  for (const LocalMemory &local : target.localMemories)
    out << "local memory: " << local.count << " of " << local.capacity
        << " bytes, " << local.banks << " banks, " << local.ports
        << " ports, latency " << local.latency << ", " << local.bytes
        << " bytes a cycle\n";
  out << "programs: " << join(target.abi.pointers) << ", "
      << stringifyEndianness(target.abi.endianness) << " endian, index of";
  for (unsigned width : target.abi.indexWidths)
    out << " " << width;
  out << " bits" << (target.abi.triple.empty() ? "" : ", " + target.abi.triple)
      << "\n\nUnits of a core, their latency and interval in cycles:\n";
  Printer printer{out};
  for (const TokenRow &row : target.tokens)
    printer.row(
        row.costs,
        stringifyTokenKind(row.kind) +
            (row.fan ? " fan " + std::to_string(row.fan) : std::string()) +
            " on " + join(row.types) + " " + lanesText(row.lanes));
  for (const StreamRow &row : target.streams)
    printer.row(row.costs, "stream " + stringifyStepKind(row.step) + " on " +
                               join(row.types));
  for (const ComputeRow &row : target.compute)
    printer.row(row.costs, describe(row));
  for (const AccessRow &row : target.accesses)
    printer.row(row.costs, stringifyOrdering(row.ordering) + " " +
                               stringifyAccessKind(row.kind) + " " +
                               stringifyAccessForm(row.form) + " at " +
                               stringifyAddressForm(row.address) + " on " +
                               join(row.types) + " " + lanesText(row.lanes) +
                               (row.masked ? " masked" : ""));
}

static LogicalResult say(llvm::Error error) {
  llvm::errs() << "loom target: " << llvm::toString(std::move(error)) << "\n";
  return failure();
}

static LogicalResult list(llvm::raw_ostream &out) {
  for (const BuiltinTarget &builtin : builtinTargets()) {
    llvm::Expected<Target> target = resolveTarget(builtin.name);
    if (!target)
      return say(target.takeError());
    out << formatv("{0,-11} {1}  ", builtin.name,
                   StringRef(target->identity.hex()).take_front(12))
        << builtin.summary << "\n";
  }
  return success();
}

namespace {

struct PrintTargetPass : PassWrapper<PrintTargetPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintTargetPass)
  StringRef getArgument() const override { return "loom-print-target"; }
  StringRef getDescription() const override {
    return "print the target that the module names, or list the built-in ones";
  }
  void runOnOperation() override {
    auto name = getOperation()->getAttrOfType<StringAttr>("loom.target");
    if (!name) {
      if (failed(list(llvm::outs())))
        signalPassFailure();
      return;
    }
    llvm::Expected<Target> target = resolveTarget(name);
    if (!target) {
      (void)say(target.takeError());
      return signalPassFailure();
    }
    print(*target, llvm::outs());
  }
};

struct AdmitPass : PassWrapper<AdmitPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AdmitPass)
  AdmitPass() = default;
  AdmitPass(const AdmitPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "loom-admit"; }
  StringRef getDescription() const override {
    return "say of each dataflow graph whether a target admits it";
  }
  void runOnOperation() override {
    llvm::Expected<Target> resolved = resolveTarget(name);
    if (!resolved) {
      (void)say(resolved.takeError());
      return signalPassFailure();
    }
    CapabilityView view(*resolved);
    for (auto graph : getOperation().getOps<dataflow::GraphOp>()) {
      SmallVector<Refused> refusals;
      bool admitted =
          succeeded(admitGraph(graph, view, resolved->name, refusals));
      llvm::outs() << graph.getSymName() << ": "
                   << (admitted ? "admitted" : "not admitted") << "\n";
      for (const Refused &refused : refusals)
        llvm::outs() << "  " << refusalCode(refused.kind) << ": "
                     << refused.detail << "\n";
    }
    markAllAnalysesPreserved();
  }
  Option<std::string> name{*this, "target", llvm::cl::desc("a name or a file"),
                           llvm::cl::init("")};
};

} // namespace

namespace loom {
void registerTargetPasses() {
  PassRegistration<PrintTargetPass>();
  PassRegistration<AdmitPass>();
}
} // namespace loom
