// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels. Every instance of the producer's domain has a sequence of its own;
// every consumer has a place of its own in the sequence that it hears. Graphs
// take turns at an end, in the order of their launches.

#ifndef LOOM_DATAFLOW_RUN_CHANNEL_H
#define LOOM_DATAFLOW_RUN_CHANNEL_H

#include "Machine.h"
#include <map>

namespace loom::run {

/// Who has an end: an instance (its site), and the launch in it; null for the
/// sends, or the receives, of the instance itself.
using EndKey = std::pair<uint32_t, mlir::Operation *>;
using Coordinates = std::vector<int64_t>;

class Consumer;

class Sequence {
public:
  std::vector<Token> messages;
  std::vector<Consumer *> listeners;
  std::optional<EndKey> producer;
};

class Consumer {
public:
  explicit Consumer(Sequence &sequence) : sequence(sequence) {}

  /// The next message, or null.
  const Token *peek() const;
  void take() { ++next; }
  /// Wakes who has the turn.
  void notify(Machine &machine);

  Sequence &sequence;
  size_t next = 0;
  std::deque<Activation *> turns; ///< in the order of the launches
  Agent *receiver = nullptr;      ///< a program that waits
};

/// What an activation writes into a sequence: at once when it has the turn.
class Producer {
public:
  Producer(Machine &machine, Channel &channel, Sequence &sequence)
      : machine(machine), channel(channel), sequence(sequence) {}

  struct Turn {
    Activation *activation;
    std::vector<Token> held;
    bool done = false;
  };
  void begin(Activation *activation) { turns.push_back({activation, {}}); }
  /// False: the activation has ended.
  bool send(Activation *activation, Token token);
  void end(Activation *activation);

private:
  Machine &machine;
  Channel &channel;
  Sequence &sequence;
  std::deque<Turn> turns;
};

class Channel {
public:
  Channel(Machine &machine, mlir::Type payload)
      : payload(payload), machine(machine) {}

  /// The end of `key`, which hears or is the instance at `coordinates`. The
  /// producer is null when another one has the sequence: a failure.
  Consumer &consumer(EndKey key, const Coordinates &coordinates);
  Producer *producer(EndKey key, const Coordinates &coordinates);
  bool send(EndKey key, const Coordinates &coordinates, Token token);
  void append(Sequence &sequence, Token token);
  Sequence &at(const Coordinates &coordinates);

  mlir::Type payload;

private:
  bool claim(Sequence &sequence, EndKey key);

  Machine &machine;
  std::map<Coordinates, std::unique_ptr<Sequence>> sequences;
  std::map<EndKey, std::unique_ptr<Consumer>> consumers;
  std::map<EndKey, std::unique_ptr<Producer>> producers;
};

} // namespace loom::run

#endif
