// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom-run IMAGE [--region=N] [--orders=N] [--firings] [--apart] [--rounds]
//          SLOT...
//
// Runs a region of a sealed image on the token engine and prints its results
// and the memory afterwards. One SLOT per launch slot:
//
//   i64:5  f32:1.5  f64:-2  (any iN)   a value
//   i32[]:1,2,3                        a pointer to these elements
//   @K+BYTES                           a pointer into the memory of slot K
//   ptr[]:@0+4,null                    a pointer to pointers
//   -                                  unused (0)
//
// A region with a guard says what the guard says; --apart runs the guarded
// graph (whatever that was), --rounds prints after how many rounds the launch
// is done when every actor fires at most once a round and its results arrive in
// the next.
//
// With --orders the launch is repeated in that many random actor orders, from
// the same memory; a difference in results or memory is an error. Exit code 1:
// the launch failed, the reason is printed.

#include "Devices/Sim/Engine.h"
#include "Guard/Guard.h"
#include "Image/Reader.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace loom::rt;

namespace {

struct Buffer {
  std::string type;
  unsigned size = 0;
  std::vector<uint8_t> bytes;
  std::vector<std::pair<size_t, std::string>> pointers; // to fill in
};

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "loom-run: %s\n", message.c_str());
  std::exit(2);
}

uint64_t parseScalar(const std::string &type, const std::string &text) {
  uint64_t bits = 0;
  if (type == "f32") {
    float value = std::strtof(text.c_str(), nullptr);
    std::memcpy(&bits, &value, sizeof(value));
  } else if (type == "f64") {
    double value = std::strtod(text.c_str(), nullptr);
    std::memcpy(&bits, &value, sizeof(value));
  } else if (type[0] == 'i') {
    unsigned width = unsigned(std::atoi(type.c_str() + 1));
    bits = text[0] == '-' ? uint64_t(std::strtoll(text.c_str(), nullptr, 0))
                          : std::strtoull(text.c_str(), nullptr, 0);
    if (width < 64)
      bits &= (uint64_t(1) << width) - 1;
  } else {
    die("unknown type " + type);
  }
  return bits;
}

unsigned sizeOf(const std::string &type) {
  if (type == "ptr")
    return 8;
  unsigned bits = unsigned(std::atoi(type.c_str() + 1));
  return bits < 8 ? 1 : bits / 8;
}

void print(const std::string &type, const uint8_t *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeOf(type));
  if (type == "f32") {
    float value;
    std::memcpy(&value, bytes, 4);
    std::printf(" %.9g", double(value));
  } else if (type == "f64") {
    double value;
    std::memcpy(&value, bytes, 8);
    std::printf(" %.17g", value);
  } else {
    unsigned shift = 64 - 8 * sizeOf(type);
    std::printf(" %lld", static_cast<long long>(
                             static_cast<int64_t>(bits << shift) >> shift));
  }
}

struct Run {
  Outcome outcome;
  uint64_t rounds = 0;
  const char *guard = nullptr;
  std::vector<uint64_t> out;
  std::vector<std::vector<uint8_t>> memory;
};

class Machine {
public:
  std::vector<std::string> slots;
  std::vector<Buffer> buffers;
  LoadedRegion region;
  bool apart = false;
  bool countRounds = false;

  /// Runs on a fresh engine, consumers before producers.
  static uint64_t rounds(const LoadedRegion &graph,
                         const std::vector<uint64_t> &in, UndoLog &undo) {
    Engine engine;
    if (!engine.build(graph))
      die("the engine can't be built");
    engine.undo = &undo;
    engine.infos = graph.actors.data;
    auto push = [&](uint32_t value, uint64_t bits) {
      for (uint32_t u = engine.uses[value]; u < engine.uses[value + 1]; ++u) {
        Queue &queue = engine.queues[u];
        if (queue.data)
          queue.data[queue.tail & queue.mask] = bits;
        ++queue.tail;
      }
    };
    push(0, 0);
    for (uint32_t i = 0; i < graph.inputs.size; ++i)
      push(1 + i, in[graph.inputs[i].slot] & typeMask(graph.inputs[i].type));
    for (Actor &actor : engine.actors)
      if (actor.slot != noMemory)
        actor.base = in[actor.slot];
    uint64_t count = 0;
    for (bool fired = true; fired; count += fired) {
      fired = engine.blocked = false;
      for (size_t i = engine.actors.size; i-- > 0;)
        fired |= engine.visit(uint32_t(i), 1) != 0;
    }
    if (engine.fault != Reason::None || engine.blocked)
      die("no rounds can be counted");
    engine.release();
    return count;
  }

  void parse() {
    buffers.resize(slots.size());
    for (size_t i = 0; i < slots.size(); ++i) {
      size_t at = slots[i].find("[]:");
      if (at == std::string::npos)
        continue;
      Buffer &buffer = buffers[i];
      buffer.type = slots[i].substr(0, at);
      buffer.size = sizeOf(buffer.type);
      for (size_t from = at + 3; from <= slots[i].size();) {
        size_t to = std::min(slots[i].find(',', from), slots[i].size());
        std::string item = slots[i].substr(from, to - from);
        from = to + 1;
        size_t offset = buffer.bytes.size();
        buffer.bytes.resize(offset + buffer.size);
        if (buffer.type == "ptr") {
          buffer.pointers.emplace_back(offset, item);
          continue;
        }
        uint64_t bits = parseScalar(buffer.type, item);
        std::memcpy(&buffer.bytes[offset], &bits, buffer.size);
      }
    }
  }

  Run run() {
    std::vector<Buffer> work = buffers;
    auto pointer = [&](const std::string &text) -> uint64_t {
      if (text == "null" || text[0] != '@')
        return 0;
      size_t slot = std::strtoul(text.c_str() + 1, nullptr, 10);
      size_t plus = text.find('+');
      uint64_t offset =
          plus == std::string::npos
              ? 0
              : std::strtoull(text.c_str() + plus + 1, nullptr, 10);
      if (slot >= work.size())
        die("no slot " + text);
      return reinterpret_cast<uint64_t>(work[slot].bytes.data()) + offset;
    };
    for (Buffer &buffer : work)
      for (auto &[offset, text] : buffer.pointers) {
        uint64_t bits = pointer(text);
        std::memcpy(&buffer.bytes[offset], &bits, 8);
      }
    std::vector<uint64_t> in;
    for (size_t i = 0; i < slots.size(); ++i) {
      size_t colon = slots[i].find(':');
      if (buffers[i].size)
        in.push_back(reinterpret_cast<uint64_t>(work[i].bytes.data()));
      else if (slots[i][0] == '@')
        in.push_back(pointer(slots[i]));
      else if (colon == std::string::npos)
        in.push_back(0);
      else
        in.push_back(
            parseScalar(slots[i].substr(0, colon), slots[i].substr(colon + 1)));
    }
    Run result;
    result.out.assign(region.outputInfos.size, 0);
    if (region.apart)
      result.guard = guardVerdictName(evaluateGuard(region, in.data()));
    if (apart && !region.apart)
      die("the region has no guard");
    const LoadedRegion &graph = apart ? *region.apart : region;
    Engine engine;
    UndoLog undo;
    if (countRounds) {
      result.rounds = rounds(graph, in, undo);
      undo.rollBack();
      undo.clear();
    }
    if (!engine.build(graph))
      die("the engine can't be built");
    LaunchContext context = {in.data(), result.out.data(), uint64_t(1) << 32,
                             &undo};
    result.outcome = engine.run(graph, context);
    for (Buffer &buffer : work) // addresses differ from run to run
      result.memory.push_back(buffer.type == "ptr" ? std::vector<uint8_t>()
                                                   : buffer.bytes);
    undo.clear();
    undo.release();
    engine.release();
    return result;
  }
};

} // namespace

int main(int argc, char **argv) {
  Machine machine;
  uint32_t index = 0;
  unsigned orders = 0;
  bool firings = false;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.rfind("--region=", 0) == 0)
      index = uint32_t(std::atoi(arg.c_str() + 9));
    else if (arg.rfind("--orders=", 0) == 0)
      orders = unsigned(std::atoi(arg.c_str() + 9));
    else if (arg == "--apart")
      machine.apart = true;
    else if (arg == "--rounds")
      machine.countRounds = true;
    else if (arg == "--firings")
      firings = true;
    else if (path.empty())
      path = arg;
    else
      machine.slots.push_back(arg);
  }
  std::ifstream file(path, std::ios::binary);
  if (!file)
    die("can't read " + path);
  std::vector<char> raw{std::istreambuf_iterator<char>(file), {}};
  // The payload is read in place: aligned as the linker would.
  std::vector<uint64_t> image(raw.size() / 8 + 3);
  char *base = reinterpret_cast<char *>(image.data());
  base += (16 - reinterpret_cast<uintptr_t>(base) % 16) % 16;
  std::memcpy(base, raw.data(), raw.size());

  ImageVerdict verdict = checkSeal(base, raw.size());
  if (verdict.ok())
    verdict = loadRegion(base, index, machine.region);
  if (!verdict.ok())
    die(std::string("image: ") + imageErrorName(verdict.error) + " at " +
        std::to_string(verdict.where));
  if (machine.slots.size() < machine.region.slots.size)
    machine.slots.resize(machine.region.slots.size, "-");
  machine.parse();

  Run first = machine.run();
  if (first.outcome.reason != Reason::None) {
    std::printf("failed: %s: %s (actor %lld)\n",
                reasonName(first.outcome.reason), first.outcome.detail,
                static_cast<long long>(first.outcome.where));
    return 1;
  }
  for (unsigned seed = 1; seed <= orders; ++seed) {
    simOrder = {true, seed};
    Run other = machine.run();
    if (other.outcome.reason != Reason::None) {
      std::printf("failed in order %u: %s: %s (actor %lld)\n", seed,
                  reasonName(other.outcome.reason), other.outcome.detail,
                  static_cast<long long>(other.outcome.where));
      return 1;
    }
    if (other.memory != first.memory || other.out != first.out) {
      std::printf("order %u gives another result\n", seed);
      return 1;
    }
  }
  for (size_t i = 0; i < first.out.size(); ++i) {
    const OutputInfo &info = machine.region.outputInfos.data[i];
    std::string type = info.type.type == Ty::F32   ? "f32"
                       : info.type.type == Ty::F64 ? "f64"
                                                   : "i64";
    std::printf("out %zu:", i);
    print(type, reinterpret_cast<const uint8_t *>(&first.out[i]));
    std::printf("\n");
  }
  for (size_t i = 0; i < machine.buffers.size(); ++i) {
    const Buffer &buffer = machine.buffers[i];
    if (buffer.size == 0 || buffer.type == "ptr")
      continue;
    std::printf("slot %zu:", i);
    for (size_t at = 0; at < first.memory[i].size(); at += buffer.size)
      print(buffer.type, &first.memory[i][at]);
    std::printf("\n");
  }
  if (first.guard)
    std::printf("guard: %s\n", first.guard);
  if (machine.countRounds)
    std::printf("rounds: %llu\n",
                static_cast<unsigned long long>(first.rounds));
  if (firings)
    std::printf("firings: %llu\n",
                static_cast<unsigned long long>(first.outcome.firings));
  return 0;
}
