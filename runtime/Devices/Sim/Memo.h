// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The automaton of one loop's timing states. A state is a vector of relative
// times. From a state a tree of control words leads to the next state and the
// cycles in between, or out of the loop. Bounded: a table that grows too large
// is emptied, and a loop whose states don't come back stops using it.

#ifndef LOOM_RUNTIME_DEVICES_SIM_MEMO_H
#define LOOM_RUNTIME_DEVICES_SIM_MEMO_H

#include "Support/Vec.h"

namespace loom::rt {

/// A place in the tree of control words of a state. A word leads to another
/// place of the tree, or with the last word of an iteration to the root of the
/// tree of the next state, after so many cycles.
struct MemoNode {
  uint32_t children[2]; // for the words 0 and 1; 0: none
  uint32_t cycles[2];
  uint32_t state;    // whose root this is; Memo::none
  uint32_t site;     // who reads the word here (Replay::siteOf)
  uint64_t taken[2]; // how often these words came, not yet counted
};

struct MemoState {
  uint32_t node;     // its root
  uint32_t next;     // an iteration without words: the next state...
  uint32_t cycles;   // ...after so many cycles
  uint32_t stamp;    // activation that met it last
  uint64_t metAt;    // iterations left then
  int64_t metCycles; // base then
};

struct Memo {
  static constexpr uint32_t none = 0xffffffffu;
  static constexpr uint32_t mostWords = 1024; // of an iteration
  static constexpr uint32_t mostStates = 4096;
  static constexpr size_t mostBytes = size_t(8) << 20; // of keys
  static constexpr uint64_t firstPatience = 512, mostPatience = 8192;

  uint32_t width = 0; // of a key
  bool off = false;
  uint64_t patience = 0; // misses before the table is judged; 0: never used
  uint64_t slept = 0;    // iterations since it was given up
  uint64_t iterations = 0, hits = 0, misses = 0;
  uint32_t activation = 0;
  Vec<int32_t> key; // scratch
  Vec<int32_t> keys;
  Vec<MemoState> states;
  Vec<MemoNode> nodes;      // 0 is no node
  Vec<uint32_t> stateTable; // open addressing, state + 1
  struct Link {
    uint32_t node, word, child, cycles;
  };
  Vec<Link> links; // open addressing, children of other words; child 0: free
  uint32_t linkCount = 0;
  Vec<uint32_t> touched; // 2 * node + word of what was taken

  /// The state whose key is in `key`; `none` when memory runs out.
  uint32_t intern();
  /// The child by a word, 0 when there is none.
  uint32_t child(uint32_t node, uint32_t word, uint32_t &cycles) const;
  /// From `state` an iteration with these words, read at these sites, leads to
  /// `next`. False when memory runs out.
  bool learn(uint32_t state, const uint32_t *words, const uint32_t *sites,
             size_t count, uint32_t next, uint32_t cycles);
  /// States don't come back.
  bool poor() const { return misses > patience && misses * 8 > hits + misses; }
  /// No more is learned until it is emptied.
  bool full() const {
    return states.size >= mostStates || nodes.size >= 32 * size_t(mostStates) ||
           keys.size * sizeof(int32_t) >= mostBytes;
  }
  /// Whether a review empties it.
  bool losing() const { return off || poor() || full(); }
  /// Between activations: empties a full table, gives a poor one up. After
  /// sixteen times the iterations that it failed for, it is tried again and
  /// longer: launches with the same control as one before come back to its
  /// states, however many these are. Where nothing comes back that costs an
  /// eighth.
  void review();
  void empty();
  void release();

private:
  uint32_t newNode(uint32_t state);
  bool addLink(uint32_t node, uint32_t word, uint32_t child, uint32_t cycles);
  bool grow();
};

} // namespace loom::rt

#endif
