// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a spatial.app as Scala. The host part is here, the accelerator block
// in Accel.cpp.

#include "loom/Spatial/Emit/Emit.h"
#include "Accel.h"
#include "Spell.h"
#include "loom/Spatial/Derive/Derive.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

/// One host memory with its place on the command line.
struct HostMemory {
  mutable DramOp op;
  std::string name;
  std::string type;
  int64_t size;
  std::string what; ///< for messages and comments
  int input = -1;   ///< argument number of the file it is filled from
  int output = -1;  ///< argument number of the file it goes to, or of the
                    ///< expected contents
};

std::string at(int64_t index) { return "(" + std::to_string(index) + ")"; }

class AppPrinter {
public:
  AppPrinter(AppOp app, bool check, SmallVectorImpl<Refused> &refusals)
      : app(app), check(check), accel(refusals), os(text) {}

  FailureOr<std::string> run();

private:
  void layOut();
  void header();
  void inputs();
  void outputs();
  void compare(const HostMemory &memory, std::vector<std::string> &verdicts);
  void compareResults(const HostMemory &memory,
                      std::vector<std::string> &verdicts);
  std::string same(unsigned floatWidth, const std::string &bits,
                   const std::string &got, const std::string &expected);
  llvm::raw_ostream &line() { return os << "    "; }
  std::string objectName() const {
    return app.getObject().str() + (check ? "_check" : "");
  }

  mutable AppOp app;
  bool check;
  AccelPrinter accel;
  std::vector<HostMemory> memories;
  std::string text;
  llvm::raw_string_ostream os;
};

/// Names and argument numbers: inputs first, then outputs.
void AppPrinter::layOut() {
  for (Operation &op : app.getBody().front()) {
    auto dram = dyn_cast<DramOp>(op);
    if (!dram)
      continue;
    HostMemory m;
    m.op = dram;
    DramType type = dram.getMemory().getType();
    m.type = typeName(type.getElement());
    m.size = type.getSize();
    if (dram.getRole() == "slots") {
      m.name = "slots";
      m.what = "launch slots";
    } else if (dram.getRole() == "outputs") {
      m.name = "results";
      m.what = "results";
    } else {
      m.name = "mem" + std::to_string(dram.getIndex());
      m.what = "memory " + std::to_string(dram.getIndex());
    }
    accel.name(dram.getMemory(), m.name);
    memories.push_back(m);
  }
  int next = 1; // argument 0 is the slots file, used or not
  for (HostMemory &m : memories)
    if (m.op.getRole() == "slots")
      m.input = 0;
    else if (m.op.getRole() == "memory")
      m.input = next++;
  for (HostMemory &m : memories)
    if (m.op.getWritten())
      m.output = next++;
}

void AppPrinter::header() {
  os << "import spatial.dsl._\n\n";
  os << "// Region " << app.getRegion() << ". Arguments, all of them files:\n";
  os << "//   0: launch slots, " << app.getSlots() << " x I64\n";
  for (const HostMemory &m : memories)
    if (m.op.getRole() == "memory")
      os << "//   " << m.input << ": " << m.what << " before, " << m.size
         << " x " << m.type << ", bytes " << m.op.getLo()
         << " and on of the pointer in slot " << m.op.getSlot() << "\n";
  for (const HostMemory &m : memories)
    if (m.output >= 0)
      os << "//   " << m.output << ": " << m.what
         << (m.op.getRole() == "memory" ? " after" : "") << ", " << m.size
         << " x " << m.type << (check ? ", expected" : ", written") << "\n";
  os << "@spatial object " << objectName() << " extends SpatialApp {\n";
  os << "  def main(args: Array[String]): Unit = {\n";
}

void AppPrinter::inputs() {
  for (const HostMemory &m : memories) {
    if (m.input >= 0) {
      line() << "val " << m.name << "File = loadBinary[" << m.type << "](args"
             << at(m.input) << ")\n";
      line() << "assert((" << m.name << "File.length === " << m.size
             << ".to[I32]), \"" << m.what << ": wrong file size\")\n";
    }
    line() << "val " << m.name << " = DRAM[" << m.type << "]" << at(m.size)
           << "\n";
    if (m.input >= 0)
      line() << "setMem(" << m.name << ", " << m.name << "File)\n";
  }
  unsigned count = 0;
  for (auto arg : app.getBody().front().getOps<ArgInOp>()) {
    std::string name = "k" + std::to_string(count++);
    accel.name(arg.getReg(), name);
    Type type = arg.getReg().getType().getElement();
    line() << "val " << name << " = ArgIn[" << typeName(type) << "]\n";
    APInt bits = APInt(64, arg.getValue()).trunc(type.getIntOrFloatBitWidth());
    line() << "setArg(" << name << ", " << literal(type, bits) << ")\n";
  }
}

/// Equality of two values of `bits` (an integer type), NaN being equal to NaN.
std::string AppPrinter::same(unsigned floatWidth, const std::string &bits,
                             const std::string &got,
                             const std::string &expected) {
  if (!floatWidth)
    return "(" + got + " === " + expected + ")";
  return "((" + got + ".as[" + bits + "] === " + expected + ".as[" + bits +
         "]) || (" + got + ".isNaN && " + expected + ".isNaN))";
}

void AppPrinter::compare(const HostMemory &m,
                         std::vector<std::string> &verdicts) {
  Type element = m.op.getMemory().getType().getElement();
  unsigned width = element.getIntOrFloatBitWidth();
  line() << "val " << m.name << "Same = getMem(" << m.name << ").zip(" << m.name
         << "Wanted){(a, b) => "
         << same(isa<FloatType>(element) ? width : 0,
                 "I" + std::to_string(width), "a", "b")
         << "}.reduce{_ && _}\n";
  verdicts.push_back(m.name + "Same");
}

/// The results one by one: those of another exit don't count.
void AppPrinter::compareResults(const HostMemory &m,
                                std::vector<std::string> &verdicts) {
  line() << "val got = getMem(" << m.name << ")\n";
  for (auto [index, exit] : llvm::enumerate(app.getExits())) {
    unsigned width = app.getFloats()[index];
    std::string element = at(index), got = "got" + element,
                wanted = m.name + "Wanted" + element;
    std::string verdict = "result" + std::to_string(index) + "Same";
    if (width) {
      std::string view = width == 32 ? ".to[I32].as[Float]" : ".as[Double]";
      // The bits are compared as they are; the views tell NaN.
      line() << "val " << verdict << " = (" << got << " === " << wanted
             << ") || (" << got << view << ".isNaN && " << wanted << view
             << ".isNaN)";
    } else {
      line() << "val " << verdict << " = (" << got << " === " << wanted << ")";
    }
    if (exit >= 0)
      os << " || (" << m.name << "Wanted(0) !== " << exit << "L.to[I64])";
    os << "\n";
    verdicts.push_back(verdict);
  }
}

void AppPrinter::outputs() {
  if (!check) {
    for (const HostMemory &m : memories)
      if (m.output >= 0)
        line() << "writeBinary(getMem(" << m.name << "), args" << at(m.output)
               << ")\n";
    line() << "println(\"DONE (" << app.getRegion() << ")\")\n";
    return;
  }
  std::vector<std::string> verdicts;
  for (const HostMemory &m : memories) {
    if (m.output < 0)
      continue;
    line() << "val " << m.name << "Wanted = loadBinary[" << m.type << "](args"
           << at(m.output) << ")\n";
    line() << "assert((" << m.name << "Wanted.length === " << m.size
           << ".to[I32]), \"" << m.what
           << ": wrong size of the expected file\")\n";
    if (m.op.getRole() == "memory")
      compare(m, verdicts);
    else
      compareResults(m, verdicts);
  }
  line() << "val pass = " << llvm::join(verdicts, " && ") << "\n";
  line() << "println(\"PASS: \" + mux(pass, 1.to[I32], 0.to[I32]) + \" ("
         << app.getRegion() << ")\")\n";
  line() << "assert(pass, \"" << app.getRegion() << ": wrong result\")\n";
}

FailureOr<std::string> AppPrinter::run() {
  layOut();
  header();
  inputs();
  FailureOr<std::string> body =
      accel.print(cast<AccelOp>(app.getBody().front().back()), 3);
  if (failed(body))
    return failure();
  line() << "Accel {\n" << *body;
  line() << "}\n";
  outputs();
  os << "  }\n}\n";
  return text;
}

} // namespace

FailureOr<SpatialApp>
loom::printSpatialApp(AppOp app, SmallVectorImpl<Refused> &refusals) {
  SpatialApp result;
  result.object = app.getObject().str();
  FailureOr<std::string> source = AppPrinter(app, false, refusals).run();
  if (failed(source))
    return failure();
  FailureOr<std::string> checkSource = AppPrinter(app, true, refusals).run();
  if (failed(checkSource))
    return failure();
  result.source = *source;
  result.checkSource = *checkSource;
  return result;
}

FailureOr<SpatialApp> loom::emitSpatialApp(SpatialRegionOp region,
                                           ArrayRef<RootFootprint> footprints,
                                           SmallVectorImpl<Refused> &refusals) {
  MLIRContext *context = region.getContext();
  context->getOrLoadDialect<SpatialDialect>();
  context->getOrLoadDialect<arith::ArithDialect>();
  context->getOrLoadDialect<math::MathDialect>();
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(region.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(scratch->getBody());
  FailureOr<AppOp> app = deriveApp(builder, region, footprints, refusals);
  if (failed(app))
    return failure();
  return printSpatialApp(*app, refusals);
}
