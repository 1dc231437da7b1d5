// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of threads, waits for them, and the end of an instance.

#include "Program.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

namespace {
/// A launch whose dependencies have not retired yet.
struct Launch {
  ThreadOp thread;
  SmallVector<Datum> arguments;
  Coordinates extents;
  Order order;
  std::vector<Cell *> after;
  Cell *token;
};
} // namespace

static void startInstances(Machine &machine, Launch &launch) {
  Order order = launch.order;
  for (Cell *cell : launch.after)
    order = join(order, cell->token.order);
  Block &block = launch.thread.getBlock();
  std::vector<Cell *> retired;
  Coordinates point(launch.extents.size(), 0);
  for (bool more = !llvm::is_contained(launch.extents, 0); more;) {
    std::string label = "@" + launch.thread.getSymName().str() + "[";
    for (auto [dimension, at] : llvm::enumerate(point))
      label += (dimension ? "," : "") + std::to_string(at);
    Program &instance = machine.start(launch.thread, label + "]");
    instance.coordinates = point;
    instance.order = order;
    for (auto [input, datum] : llvm::enumerate(launch.arguments))
      instance.bind(block.getArgument(input), datum);
    unsigned next = launch.thread.getNumInputs();
    instance.bind(block.getArgument(next++), Datum::of(Token{{}, order}));
    for (int64_t at : point)
      instance.bind(block.getArgument(next++),
                    Datum::of(Token{{Lane{uint64_t(at), false}}, nullptr}));
    retired.push_back(instance.retired);
    machine.wake(instance);
    // The next point, the last dimension first.
    more = false;
    for (size_t i = point.size(); i-- > 0 && !more;) {
      more = ++point[i] < launch.extents[i];
      if (!more)
        point[i] = 0;
    }
  }
  machine.whenAll(retired, [&machine, retired, order, token = launch.token] {
    Order all = order;
    for (Cell *cell : retired)
      all = join(all, cell->token.order);
    machine.set(token, {{}, all});
  });
}

Step Program::launchThread(Operation *op) {
  auto launch = cast<ThreadLaunchOp>(op);
  auto next = std::make_shared<Launch>();
  next->thread = machine.symbols.lookup<ThreadOp>(launch.getCallee());
  if (!allReady(launch.getExtents()))
    return Step::Wait;
  uint64_t count = 1;
  for (Value extent : launch.getExtents()) {
    Lane lane = ready(extent)->lanes.front();
    if (lane.poison)
      return fail(op, RunFault::Poison, "an extent");
    if (int64_t(lane.bits) < 0)
      return fail(op, RunFault::Extent, Twine(int64_t(lane.bits)));
    next->extents.push_back(int64_t(lane.bits));
  }
  for (int64_t extent : next->extents) {
    count = llvm::SaturatingMultiply(count, uint64_t(extent));
    if (extent == 0)
      break;
  }
  if (llvm::is_contained(next->extents, 0))
    count = 0;
  machine.instances = llvm::SaturatingAdd(machine.instances, count);
  if (machine.instances > machine.options.instances)
    return fail(op, RunFault::Limit,
                "more than " + Twine(machine.options.instances) +
                    " instances and launches");
  for (Value argument : launch.getArgs())
    next->arguments.push_back(get(argument));
  for (Value token : launch.getDependencies())
    next->after.push_back(get(token).cell);
  next->order = order;
  next->token = machine.makeCell();
  bind(launch.getToken(), Datum::of(next->token));
  machine.whenAll(next->after, [&machine = machine, next] {
    startInstances(machine, *next);
  });
  return Step::Next;
}

Step Program::endThread(Operation *op) {
  if (!allReady(op->getOperands()))
    return Step::Wait;
  end();
  return Step::Moved;
}

Step Program::threads(Operation *op) {
  if (isa<ThreadLaunchOp>(op))
    return launchThread(op);
  if (isa<ThreadWaitOp, GraphWaitOp>(op))
    return allReady(op->getOperands()) ? Step::Next : Step::Wait;
  if (isa<ThreadYieldOp>(op))
    return endThread(op);
  return Step::Other;
}
