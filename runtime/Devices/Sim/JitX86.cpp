// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: the passes over a program, and the pages of its code.

#include "Devices/Sim/Jit.h"

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

#include <sys/mman.h>
#include <unistd.h>

namespace loom::rt {

using namespace x86;

static constexpr size_t mostCode = size_t(64) << 20;

bool Translator::run() {
  size_t count = program.code.size;
  if (!native.assignZero(count + 1) || !home.assignZero(program.frame.size) ||
      !reads.assignZero(program.frame.size) ||
      !counts.assignZero(program.frame.size) ||
      !isOutput.assignZero(program.frame.size) ||
      !isTarget.assignZero(count + 1) || program.frame.size > (size_t(1) << 27))
    return false;
  for (const Inst &inst : program.code) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      ++reads[slots[n]];
    if (inst.code == static_cast<uint16_t>(Do::Fuel) && inst.imm > 0x7fffffff)
      return false;
  }
  for (const Inst &inst : program.code) {
    Do code = static_cast<Do>(inst.code);
    if (code == Do::Jump || code == Do::JumpIfZero || code == Do::JumpUnless)
      isTarget[inst.target] = 1;
  }
  for (uint32_t to : program.targets)
    isTarget[to] = 1;
  for (uint32_t slot : program.outputSlots)
    if (slot != nothing)
      isOutput[slot] = 1;
  prologue();
  size_t start = as.jmp();
  makeThunks();
  as.here(start);
  for (uint32_t i = 0; i < count && as.memory; ++i) {
    native[i] = static_cast<uint32_t>(as.bytes.size);
    if (inLoop && inLoop->end == i)
      leaveLoop(); // what jumps here comes from the loop
    instruction(i);
    if (as.bytes.size > mostCode)
      return false;
  }
  // Stubs, which add faults of their own.
  for (const Slow &slow : stores)
    storeSlow(slow);
  size_t common = as.bytes.size;
  epilogue();
  for (const Fixup &fix : faults) {
    as.here(fix.where);
    as.movImm(rax, fix.inst);
    as.patch(as.jmp(), common);
  }
  for (const Table &table : tables) {
    as.here(table.where);
    size_t origin = as.bytes.size;
    const Inst &inst = program.code[table.inst];
    for (uint32_t k = 0; k < inst.lanes; ++k)
      as.dword(native[program.targets[inst.target + k]] -
               static_cast<uint32_t>(origin));
  }
  for (const Fixup &fix : jumps)
    as.patch(fix.where, native[fix.inst]);
  return as.memory;
}

void Translator::release() {
  as.bytes.release();
  native.release();
  jumps.release();
  faults.release();
  stores.release();
  tables.release();
  home.release();
  held.release();
  reads.release();
  counts.release();
  isOutput.release();
  isTarget.release();
}

bool Machine::translate(const Program &program) {
  Translator translator(program);
  bool good = translator.run();
  if (good) {
    long page = sysconf(_SC_PAGESIZE);
    size = (translator.as.bytes.size + size_t(page) - 1) & ~(size_t(page) - 1);
    void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    good = mapped != MAP_FAILED;
    if (good) {
      memcpy(mapped, translator.as.bytes.data, translator.as.bytes.size);
      pages = mapped;
      good = mprotect(mapped, size, PROT_READ | PROT_EXEC) == 0;
      if (good)
        entry = reinterpret_cast<uint32_t (*)(Run *)>(mapped);
      else
        release();
    }
  }
  translator.release();
  return good;
}

void Machine::release() {
  if (pages)
    munmap(pages, size);
  pages = nullptr;
  entry = nullptr;
}

} // namespace loom::rt

#else

namespace loom::rt {
bool Machine::translate(const Program &) { return false; }
void Machine::release() {}
} // namespace loom::rt

#endif

namespace loom::rt {

// The function sanitizer would look for a signature in front of the code.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void Machine::run(const Program &program, Run &run) const {
  run.code = program.code.data;
  uint32_t stopped = entry(&run);
  if (stopped == nothing) {
    run.at = nullptr;
    return;
  }
  const Inst &inst = program.code[stopped];
  run.at = &inst;
  if (run.fault != Reason::None)
    return;
  explainStop(inst, run);
}

} // namespace loom::rt
