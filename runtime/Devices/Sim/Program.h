// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value plane: a plan as straight-line code over a frame of 8-byte slots.
// Control tokens, syncs, demuxes, invariants and constants are not executed:
// what they hand on is where it was. The code runs in an interpreter (Vm.cpp),
// or as machine code where there is a translator (JitX86.cpp).
//
// The value plane writes the trace that the timing plane reads: one word for a
// loop without selections and loops inside (its trips, at its end), otherwise
// one word an iteration (1: goes on, 0: ends) and one for every selection (the
// lane).

#ifndef LOOM_RUNTIME_DEVICES_SIM_PROGRAM_H
#define LOOM_RUNTIME_DEVICES_SIM_PROGRAM_H

#include "Devices/Sim/Engine.h"
#include "Devices/Sim/Plan.h"

namespace loom::rt {

struct Inst;

/// Codes of instructions: the computations of `Code`, and these.
enum class Do : uint16_t {
  Move = 0x200,   // dst = a
  Enter,          // a loop without loops inside follows
  Jump,           // to target
  JumpIfZero,     // a
  JumpUnless,     // the comparison `pred` of a and b holds
  JumpTable,      // by a: targets[target + lane], `lanes` of them
  Compare,        // dst = the comparison `pred` of a and b
  Advance,        // dst = dst stepped by a; op: the kind of step
  Fuel,           // imm firings were made
  Load,           // dst = [base + a]
  Store,          // [base + a] = b
  TraceWord,      // a
  TraceImmediate, // imm
  TraceRoom,      // make room for the words until the next of these
  TripsBegin,     // dst = fuel
  TripsEnd,       // writes the trips since a: (spent - imm) / (imm + mask)
  End,
  Dropped // only while the code is made
};

/// One instruction. Operands are slots of the frame.
struct Inst {
  uint16_t code; // Code or Do
  uint8_t pred;
  uint8_t op;
  uint8_t width;
  uint8_t shift;
  uint8_t fromWidth;
  uint8_t fromShift;
  uint32_t dst, a, b, c;
  uint32_t target;
  uint32_t actor; // for messages; `nothing`
  uint64_t mask;  // of the result
  uint64_t imm;   // Load, Store: lowest legal address operand
  uint64_t span;  // Load, Store: greatest legal distance from it
  uint8_t bytes;
  bool outside;
  uint16_t lanes;
  uint32_t base;  // Load, Store: slot of the base
  uint32_t cache; // Store: number of its undo cache
};

/// Where a store last found its line in the undo log.
struct StoreCache {
  uint64_t address; // of the line; 1: none
  uint64_t offset;  // in bytes from UndoLog::lines.data
};

/// Where lines probably are in the undo log, by the low bits of their number.
/// Only hints, which the launch before may have left: who takes one compares
/// the line in the log.
constexpr unsigned lineHints = 1024;

/// A loop without loops inside, as code: entered at `begin` only, left for
/// `end` only.
struct InnerLoop {
  uint32_t begin, end;
};

/// What runs while a launch runs. The translator knows its layout.
struct Run {
  uint64_t *frame;
  int64_t fuel;
  uint32_t *trace;      // next word
  uint32_t *traceLimit; // TraceRoom empties the trace from here on
  UndoLog *undo;
  StoreCache *caches;
  uint32_t *hints;      // lineHints of them
  UndoLine **undoLines; // &undo->lines.data, the size follows
  const Inst *code;
  const Inst *at; // the instruction that ended the run
  Reason fault;
  const char *detail;
  bool (*flush)(Run &run); // reads the trace, resets `trace`; false: give up
  void *flushContext;
  TouchedLines *touched; // null, or filled; machine code doesn't
};

struct Program {
  Vec<Inst> code;
  Vec<uint32_t> targets;
  Vec<uint64_t> frame;     // constants preset
  Vec<uint32_t> baseSlots; // by memory
  Vec<StoreCache> caches;
  Vec<uint32_t> hints;       // lineHints line numbers, if there are stores
  Vec<uint32_t> outputSlots; // by output
  Vec<uint32_t> slotOf;      // by value, `nothing` for control
  Vec<Ty> slotTypes;         // by slot
  Vec<uint8_t> constant;     // by slot: nothing writes it
  Vec<InnerLoop> loops;      // in code order
  uint32_t tracePerRoom = 0; // most words between two TraceRoom
  uint64_t steps = 0;        // of building it, along chains and over code

  bool build(const LoadedRegion &region, const Plan &plan, bool traced);
  void release();
  /// Sets inputs and bases for a launch.
  void enter(const LoadedRegion &region, const uint64_t *in);
};

/// The slots that an instruction reads, with their number, and the one it
/// writes or `nothing`. Advance reads what it writes.
uint32_t slotsRead(const Inst &inst, uint32_t slots[4]);
uint32_t slotWritten(const Inst &inst);

/// Interprets; returns how the run ended.
void interpret(const Program &program, Run &run);

/// The value of a computation. False: the host would trap.
bool computeValue(const Inst &inst, uint64_t a, uint64_t b, uint64_t c,
                  uint64_t &result);

/// One step of a counting loop. False: the host would trap.
bool advanceValue(const Inst &inst, uint64_t &value, uint64_t by);

/// Says why an instruction stopped the run.
void explainStop(const Inst &inst, Run &run);

/// Fills in the code and the types of a computation.
void describeCompute(const ActorInfo &info, Inst &inst);

} // namespace loom::rt

#endif
