// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channel.h"
#include "Activation.h"

using namespace mlir;
using namespace loom::run;

const Token *Consumer::peek() const {
  return next < sequence.messages.size() ? &sequence.messages[next] : nullptr;
}

void Consumer::notify(Machine &machine) {
  if (!peek())
    return;
  if (!turns.empty())
    turns.front()->streamArrived();
  if (receiver)
    machine.wake(*receiver);
}

bool Producer::send(Activation *activation, Token token) {
  auto turn = llvm::find_if(turns, [&](const Turn &turn) {
    return turn.activation == activation && !turn.done;
  });
  if (turn == turns.end())
    return false;
  if (turn == turns.begin()) {
    channel.append(sequence, std::move(token));
    return true;
  }
  machine.tokenAdded(token);
  turn->held.push_back(std::move(token));
  return true;
}

void Producer::end(Activation *activation) {
  for (Turn &turn : turns)
    if (turn.activation == activation)
      turn.done = true;
  // The next one sends what it has held back.
  while (!turns.empty() && turns.front().done) {
    turns.pop_front();
    if (turns.empty())
      return;
    std::vector<Token> held = std::move(turns.front().held);
    turns.front().held.clear();
    for (Token &token : held) {
      machine.tokenRemoved(token);
      channel.append(sequence, std::move(token));
    }
  }
}

Sequence &Channel::at(const Coordinates &coordinates) {
  std::unique_ptr<Sequence> &sequence = sequences[coordinates];
  if (!sequence)
    sequence = std::make_unique<Sequence>();
  return *sequence;
}

Consumer &Channel::consumer(EndKey key, const Coordinates &coordinates) {
  std::unique_ptr<Consumer> &consumer = consumers[key];
  if (!consumer) {
    Sequence &sequence = at(coordinates);
    consumer = std::make_unique<Consumer>(sequence);
    sequence.listeners.push_back(consumer.get());
  }
  return *consumer;
}

bool Channel::claim(Sequence &sequence, EndKey key) {
  if (!sequence.producer)
    sequence.producer = key;
  return *sequence.producer == key ||
         machine.fail(RunFault::Channel, "a second producer");
}

Producer *Channel::producer(EndKey key, const Coordinates &coordinates) {
  Sequence &sequence = at(coordinates);
  if (!claim(sequence, key))
    return nullptr;
  std::unique_ptr<Producer> &producer = producers[key];
  if (!producer)
    producer = std::make_unique<Producer>(machine, *this, sequence);
  return producer.get();
}

bool Channel::send(EndKey key, const Coordinates &coordinates, Token token) {
  Sequence &sequence = at(coordinates);
  if (!claim(sequence, key))
    return false;
  append(sequence, std::move(token));
  return true;
}

void Channel::append(Sequence &sequence, Token token) {
  machine.tokenAdded(token);
  sequence.messages.push_back(std::move(token));
  for (Consumer *consumer : sequence.listeners)
    consumer->notify(machine);
}
