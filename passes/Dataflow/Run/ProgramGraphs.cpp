// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of graphs, and channels.

#include "Activation.h"
#include "Program.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

static Coordinates sourceOf(AffineMap map, const Coordinates &consumer) {
  SmallVector<int64_t> source = map.compose(consumer);
  return Coordinates(source.begin(), source.end());
}

Step Program::launchGraph(Operation *op) {
  auto launch = cast<GraphLaunchOp>(op);
  if (++machine.instances > machine.options.instances)
    return fail(op, RunFault::Limit,
                "more than " + Twine(machine.options.instances) +
                    " instances and launches");
  auto graph = machine.symbols.lookup<GraphOp>(launch.getCallee());
  EndKey key = {site, op};
  std::vector<Producer *> outputs;
  for (Value output : launch.getOutputs()) {
    Producer *producer = get(output).channel->producer(key, coordinates);
    if (!producer)
      return Step::Wait;
    outputs.push_back(producer);
  }
  Activation &activation = machine.launch(
      graph, label + " " + nameOf(op) + " @" + graph.getSymName().str());
  activation.outputs = std::move(outputs);
  ArrayAttr maps = launch.getSourceMapsAttr(); // one for each stream
  for (auto [stream, channel] : llvm::enumerate(launch.getStreams())) {
    auto map = cast<AffineMapAttr>(maps[stream]);
    activation.sources.push_back(&get(channel).channel->consumer(
        key, sourceOf(map.getValue(), coordinates)));
  }
  for (Value memory : launch.getMemories())
    activation.memories.push_back(get(memory).place);
  activation.begin();
  Order before = order;
  for (auto [input, value] : llvm::enumerate(launch.getValues())) {
    Datum &datum = get(value);
    unsigned argument = unsigned(input) + 1;
    if (datum.kind == Datum::Later) {
      Cell *cell = datum.cell;
      machine.whenAll(cell, [&activation, argument, cell, before] {
        activation.input(argument,
                         {cell->token.lanes, join(before, cell->token.order)});
      });
    } else {
      activation.input(argument, {datum.token.lanes, before});
    }
  }
  SmallVector<Cell *> after;
  for (Value event : launch.getDependencies())
    if (Datum &datum = get(event); datum.kind == Datum::Later)
      after.push_back(datum.cell);
  machine.whenAll(after, [&activation, after, before] {
    Order start = before;
    for (Cell *cell : after)
      start = join(start, cell->token.order);
    activation.input(0, {{}, start});
  });
  activation.streamArrived();

  for (auto [result, cell] :
       llvm::zip(launch.getValueResults(), activation.values))
    bind(result, Datum::of(cell));
  unsigned firstMemory =
      graph.getBlock().getNumArguments() - graph.getNumMemories();
  for (auto [result, handed] :
       llvm::zip(launch.getMemoryResults(), graph.getReturn().getMemories()))
    bind(result,
         Datum::of(
             activation.memories[cast<BlockArgument>(handed).getArgNumber() -
                                 firstMemory]));
  bind(launch.getDone(), Datum::of(activation.done));
  return Step::Next;
}

Step Program::send(Operation *op) {
  auto to = cast<ChannelSendOp>(op);
  const Token *value = ready(to.getValue());
  if (!value)
    return Step::Wait;
  Token message = {value->lanes, order};
  if (!get(to.getChannel())
           .channel->send({site, nullptr}, coordinates, std::move(message)))
    return Step::Wait;
  return Step::Next;
}

Step Program::receive(Operation *op) {
  auto from = cast<ChannelReceiveOp>(op);
  Consumer &consumer =
      get(from.getChannel())
          .channel->consumer({site, nullptr},
                             sourceOf(from.getSourceMap(), coordinates));
  const Token *message = consumer.peek();
  consumer.receiver = message ? nullptr : this;
  if (!message)
    return Step::Wait;
  order = join(order, message->order);
  bind(from.getValue(), Datum::of(Token{message->lanes, nullptr}));
  consumer.take();
  return Step::Next;
}

Step Program::graphs(Operation *op) {
  if (isa<GraphLaunchOp>(op))
    return launchGraph(op);
  if (isa<ChannelSendOp>(op))
    return send(op);
  if (isa<ChannelReceiveOp>(op))
    return receive(op);
  if (auto create = dyn_cast<ChannelCreateOp>(op)) {
    Type payload = create.getChannel().getType().getPayload();
    bind(create.getChannel(), Datum::of(&machine.makeChannel(payload)));
    return Step::Next;
  }
  auto sync = dyn_cast<SyncOp>(op);
  if (!sync)
    return Step::Other;
  // Nothing waits here: the results are later.
  SmallVector<Cell *> events;
  Order known = order;
  for (Value input : sync.getInputs()) {
    if (Datum &datum = get(input); datum.kind == Datum::Later)
      events.push_back(datum.cell);
    else
      known = join(known, datum.token.order);
  }
  Cell *all = machine.makeCell();
  machine.whenAll(events, [&machine = machine, all, events, known] {
    Order order = known;
    for (Cell *cell : events)
      order = join(order, cell->token.order);
    machine.set(all, {{}, order});
  });
  for (Value output : sync.getOutputs())
    bind(output, Datum::of(all));
  return Step::Next;
}
