// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom-artifact: structured programs as artifacts, from the command line.

#include "Commands.h"
#include "loom/Artifact/Finalizable.h"
#include "loom/Artifact/Store.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using namespace loom::tool;
using llvm::Error;
using llvm::Expected;
using llvm::outs;

using Args = ArrayRef<StringRef>;

static const char usage[] = R"(usage: loom-artifact COMMAND ...
  finalize IN.mlir [-o OBJECT] [--provenance FILE] [--store DIR]
                               the identity of the module; writes its object
  verify OBJECT...             import each: parse, verify, re-encode
  id OBJECT                    the identity, after the check of the digest
  show OBJECT [--provenance FILE]
                               the module as text
  entities OBJECT              how many operations, regions, blocks, values
  ref OBJECT KIND ORDINAL      a reference in its wire form, as hexadecimal
  resolve OBJECT REF           what a reference names
  finalizable OBJECT           can every selected region be lowered?
  schedules OBJECT [--loops N] the decisions about its first N (64) counted
                               loops: KIND ORDINAL FACTOR LOOP, one a line
  transform OBJECT KIND ORDINAL FACTOR [-o OBJECT] [--store DIR]
                               the identity of the child, or no-op
  run FILE.mlir [--entry NAME] [--arg N=VALUE]... [--stream N=VALUE;VALUE]...
      [--memory N=BYTES|hex:DIGITS|FILE|@M+OFFSET]... [--seed N] [--orders K]
      [--steps N] [--show-bytes N] [--open]
                               executes a graph, or a function that launches
                               threads, of the dataflow dialect; prints results,
                               memories and firings. N counts the inputs of the
                               entry, without the start token. --open: a graph
                               until nothing moves, and what is left
  store put DIR OBJECT...      into the store
  store get DIR ID [-o FILE]   out of it
  store list DIR               the identities
  store check DIR              imports every object
An object that is refused is named with the code of the reason; exit code 1.
)";

StringRef tool::option(SmallVectorImpl<StringRef> &args, StringRef name) {
  for (size_t i = 0; i + 1 < args.size(); ++i)
    if (args[i] == name) {
      StringRef value = args[i + 1];
      args.erase(args.begin() + i, args.begin() + i + 2);
      return value;
    }
  return {};
}

static Expected<std::string> readFile(StringRef path) {
  auto file =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!file)
    return artifactError(ArtifactFault::StoreIO,
                         path + ": " + file.getError().message());
  return (*file)->getBuffer().str();
}

static Error writeFile(StringRef path, StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code, llvm::sys::fs::OF_None);
  if (!code) {
    file << bytes;
    file.close();
    code = file.error();
    file.clear_error();
  }
  return code ? artifactError(ArtifactFault::StoreIO,
                              path + ": " + code.message())
              : Error::success();
}

Expected<std::unique_ptr<StructuredProgramCandidate>>
tool::load(StringRef path) {
  Expected<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  return importObject(*bytes);
}

tool::Outputs::Outputs(SmallVectorImpl<StringRef> &args)
    : object(option(args, "-o")), provenance(option(args, "--provenance")),
      store(option(args, "--store")) {}

Error tool::Outputs::write(const FinalizedProgram &program) const {
  StringRef semantic = program.candidate->semanticBytes();
  if (!object.empty())
    if (Error error = writeFile(object, sealObject(semantic)))
      return error;
  if (!provenance.empty())
    if (Error error = writeFile(provenance, program.provenance.bytes()))
      return error;
  if (!store.empty())
    return ArtifactStore(store).put(semantic).takeError();
  return Error::success();
}

static Error finalize(SmallVector<StringRef> args) {
  Outputs outputs(args);
  if (args.size() != 1)
    return artifactError(ArtifactFault::StoreIO, "finalize takes one file");
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  LLVM::LLVMDialect, LoomDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  // The finaliser verifies.
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(
      args[0], ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module)
    return artifactError(ArtifactFault::Unreadable, args[0]);
  Expected<FinalizedProgram> program = finalizeProgram(*module);
  if (!program)
    return program.takeError();
  if (Error error = outputs.write(*program))
    return error;
  outs() << program->candidate->identity().hex() << "\n";
  return Error::success();
}

static Error verifyAll(Args args) {
  Error errors = Error::success();
  for (StringRef path : args) {
    auto candidate = load(path);
    if (candidate) {
      outs() << (*candidate)->identity().hex() << "\n";
      continue;
    }
    llvm::errs() << "loom-artifact: " << path << ": ";
    errors = llvm::joinErrors(std::move(errors), candidate.takeError());
  }
  return errors;
}

static Error id(Args args) {
  Expected<std::string> bytes = readFile(args[0]);
  if (!bytes)
    return bytes.takeError();
  Expected<SealedObject> sealed = openObject(*bytes);
  if (!sealed)
    return sealed.takeError();
  outs() << sealed->identity.hex() << "\n";
  return Error::success();
}

static Error show(SmallVector<StringRef> args) {
  StringRef sidecar = option(args, "--provenance");
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  OwningOpRef<ModuleOp> clone = (*candidate)->module().clone();
  OpPrintingFlags flags;
  if (!sidecar.empty()) {
    Expected<std::string> bytes = readFile(sidecar);
    if (!bytes)
      return bytes.takeError();
    Expected<SourceProvenance> provenance = SourceProvenance::fromBytes(*bytes);
    if (!provenance)
      return provenance.takeError();
    if (provenance->candidate != (*candidate)->identity())
      return artifactError(ArtifactFault::BadProvenance,
                           "of " + provenance->candidate.hex());
    if (Error error = provenance->applyTo(*clone))
      return error;
    flags.enableDebugInfo();
  }
  clone->print(outs(), flags);
  outs() << "\n";
  return Error::success();
}

static Error entities(Args args) {
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  const EntityIndex &index = (*candidate)->entities();
  outs() << index.count(StructuredEntityKind::Operation) << " operations, "
         << index.count(StructuredEntityKind::Region) << " regions, "
         << index.count(StructuredEntityKind::Block) << " blocks, "
         << index.count(StructuredEntityKind::Value) << " values\n";
  return Error::success();
}

static Error makeReference(Args args) {
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  constexpr StringLiteral kinds[] = {"operation", "region", "block", "value"};
  StructuredEntityRef ref;
  ref.parent = (*candidate)->identity();
  auto kind = llvm::find(kinds, args[1]);
  if (kind == std::end(kinds))
    return artifactError(ArtifactFault::RefKind, args[1]);
  ref.kind = static_cast<StructuredEntityKind>(kind - kinds);
  if (args[2].getAsInteger(10, ref.ordinal))
    return artifactError(ArtifactFault::RefRange, args[2]);
  if (Error error = (*candidate)->check(ref))
    return error;
  outs() << llvm::toHex(ref.wire(), /*LowerCase=*/true) << "\n";
  return Error::success();
}

static Error resolve(Args args) {
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  std::string wire;
  if (!llvm::tryGetFromHex(args[1], wire))
    return artifactError(ArtifactFault::RefLength, "not hexadecimal");
  Expected<StructuredEntityRef> ref = StructuredEntityRef::fromWire(wire);
  if (!ref)
    return ref.takeError();
  if (Error error = (*candidate)->check(*ref))
    return error;
  const EntityIndex &index = (*candidate)->entities();
  switch (ref->kind) {
  case StructuredEntityKind::Operation:
    outs() << "operation " << index.operation(ref->ordinal)->getName();
    break;
  case StructuredEntityKind::Region:
    outs() << "region of "
           << index.region(ref->ordinal)->getParentOp()->getName();
    break;
  case StructuredEntityKind::Block:
    outs() << "block in "
           << index.block(ref->ordinal)->getParentOp()->getName();
    break;
  case StructuredEntityKind::Value: {
    Value value = index.value(ref->ordinal);
    outs() << (isa<BlockArgument>(value) ? "argument" : "result") << " of type "
           << value.getType();
    break;
  }
  }
  outs() << "\n";
  return Error::success();
}

static Error finalizable(Args args) {
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  Expected<Finalizability> gate = checkFinalizable(**candidate);
  if (!gate)
    return gate.takeError();
  outs() << (gate->finalizable() ? "finalizable" : "not finalizable") << ", "
         << gate->regions << " regions\n";
  for (const FinalizabilityReason &reason : gate->reasons)
    outs() << "operation " << reason.region.ordinal << ": "
           << refusalCode(reason.refused.kind) << ": " << reason.refused.detail
           << "\n";
  return Error::success();
}

static Error storePut(Args args) {
  for (StringRef path : args.drop_front()) {
    auto candidate = load(path);
    if (!candidate)
      return candidate.takeError();
    auto put = ArtifactStore(args[0]).put((*candidate)->semanticBytes());
    if (!put)
      return put.takeError();
    outs() << put->hex() << "\n";
  }
  return Error::success();
}

static Error storeGet(SmallVector<StringRef> args) {
  StringRef output = option(args, "-o");
  if (args.size() != 2)
    return artifactError(ArtifactFault::StoreIO, "store get takes DIR and ID");
  Expected<ArtifactIdentity> identity = ArtifactIdentity::fromHex(args[1]);
  if (!identity)
    return identity.takeError();
  Expected<std::string> object = ArtifactStore(args[0]).get(*identity);
  if (!object)
    return object.takeError();
  return writeFile(output.empty() ? "-" : output, *object);
}

static Error storeList(Args args) {
  Expected<ArtifactStore::Listing> listing = ArtifactStore(args[0]).list();
  if (!listing)
    return listing.takeError();
  for (const ArtifactIdentity &identity : listing->objects)
    outs() << identity.hex() << "\n";
  for (const std::string &path : listing->foreign)
    llvm::errs() << "loom-artifact: no object: " << path << "\n";
  return Error::success();
}

static Error storeCheck(Args args) {
  ArtifactStore store(args[0]);
  Expected<ArtifactStore::Listing> listing = store.list();
  if (!listing)
    return listing.takeError();
  Error errors = Error::success();
  unsigned good = 0, bad = 0;
  for (const ArtifactIdentity &identity : listing->objects) {
    Expected<std::string> object = store.get(identity);
    Error error =
        object ? importObject(*object).takeError() : object.takeError();
    error ? ++bad : ++good;
    errors = llvm::joinErrors(std::move(errors), std::move(error));
  }
  for (const std::string &path : listing->foreign)
    llvm::errs() << "loom-artifact: no object: " << path << "\n";
  outs() << good << " good, " << bad << " bad, " << listing->foreign.size()
         << " foreign\n";
  return errors;
}

namespace {
struct Command {
  StringLiteral name;
  unsigned least, most; ///< arguments
  Error (*run)(SmallVector<StringRef> args);
};
} // namespace

template <Error (*function)(Args)>
static Error plain(SmallVector<StringRef> args) {
  return function(args);
}

static constexpr unsigned anyNumber = ~0u;
static const Command commands[] = {
    {"finalize", 1, 7, finalize},
    {"verify", 1, anyNumber, plain<verifyAll>},
    {"id", 1, 1, plain<id>},
    {"show", 1, 3, show},
    {"entities", 1, 1, plain<entities>},
    {"ref", 3, 3, plain<makeReference>},
    {"resolve", 2, 2, plain<resolve>},
    {"finalizable", 1, 1, plain<finalizable>},
    {"schedules", 1, 3, listSchedules},
    {"transform", 4, 11, transform},
    {"run", 1, anyNumber, runProgram},
    {"store put", 2, anyNumber, plain<storePut>},
    {"store get", 2, 4, storeGet},
    {"store list", 1, 1, plain<storeList>},
    {"store check", 1, 1, plain<storeCheck>},
};

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  SmallVector<StringRef> args(argv + 1, argv + argc);
  if (args.empty() || args[0] == "--help") {
    (args.empty() ? llvm::errs() : outs()) << usage;
    return args.empty() ? 2 : 0;
  }
  std::string name = args[0].str();
  args.erase(args.begin());
  if (name == "store" && !args.empty()) {
    name += " " + args[0].str();
    args.erase(args.begin());
  }
  for (const Command &command : commands)
    if (command.name == name && args.size() >= command.least &&
        args.size() <= command.most) {
      Error error = command.run(args);
      if (!error)
        return 0;
      llvm::errs() << "loom-artifact: " << toString(std::move(error)) << "\n";
      return 1;
    }
  llvm::errs() << usage;
  return 2;
}
