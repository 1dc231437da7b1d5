// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to code: slots first (PlanSlots.cpp), then the tree in order
// (PlanCode.cpp); moves that a loop can do without go away (PlanMerge.cpp).

#ifndef LOOM_RUNTIME_DEVICES_SIM_PLANCODER_H
#define LOOM_RUNTIME_DEVICES_SIM_PLANCODER_H

#include "Devices/Sim/Program.h"

namespace loom::rt {

struct Coder {
  Program &program;
  const LoadedRegion &region;
  const Plan &plan;
  bool traced;
  Vec<uint32_t> uses;    // by value
  Vec<uint8_t> read;     // by slot: something but a selector reads it
  Vec<uint32_t> inner;   // code ranges of finished loops: begin, end
  Vec<uint32_t> cursor;  // slot of a stream's current value, by loop
  Vec<uint32_t> labels;  // code index by label
  Vec<uint8_t> chosen;   // by selection: a branch looks at its selector
  Vec<uint32_t> readers; // by slot: moves that read it, while moves are ordered
  uint32_t zeroSlot = 0; // the base of an access without a memory
  bool memory = true;

  uint32_t operand(const ActorInfo &info, uint32_t k) const {
    return region.operands[info.firstOperand + k];
  }
  uint32_t slot(uint32_t value) const { return program.slotOf[value]; }
  uint32_t newSlot(uint64_t content, Ty type = Ty::I64, bool constant = false) {
    memory = program.frame.push(content) && program.slotTypes.push(type) &&
             program.constant.push(constant) && memory;
    return static_cast<uint32_t>(program.frame.size - 1);
  }
  uint32_t newLabel() {
    memory = labels.push(0) && memory;
    return static_cast<uint32_t>(labels.size - 1);
  }
  void place(uint32_t label) {
    labels[label] = static_cast<uint32_t>(program.code.size);
  }
  Inst &emit(Do code) { return emitCode(static_cast<uint16_t>(code)); }
  Inst &emitCode(uint16_t code) {
    static Inst sink;
    Inst inst = {};
    inst.code = code;
    inst.actor = nothing;
    inst.target = nothing;
    if (!program.code.push(inst)) {
      memory = false;
      return sink;
    }
    return program.code[program.code.size - 1];
  }
  void move(uint32_t dst, uint32_t src) {
    if (dst == src)
      return;
    Inst &inst = emit(Do::Move);
    inst.dst = dst;
    inst.a = src;
  }
  void fuel(uint32_t firings) {
    if (firings)
      emit(Do::Fuel).imm = firings;
  }

  bool assignSlots();
  void fire(uint32_t actor);
  void moves(uint32_t loop);
  void block(uint32_t number, bool paid = false);
  void branch(const PlanBranch &branch);
  /// A selector that may name no lane, and no branch that would notice.
  bool unnoticed(uint32_t selection) const {
    return plan.selections[selection].lanes > 2 && !chosen[selection];
  }
  void notice(const Selection &selection);
  void loop(uint32_t number);
  bool hasCode(uint32_t block) const;
  void mergeCarries(uint32_t loop, uint32_t head, uint32_t body,
                    uint32_t firstMove, uint32_t end);
  bool survives(uint32_t slot, uint32_t loop) const;
  bool finish();
};

} // namespace loom::rt

#endif
