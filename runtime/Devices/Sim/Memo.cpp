// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of timing states.

#include "Devices/Sim/Memo.h"

namespace loom::rt {

static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x;
}

/// Four chains, so that the multiplications overlap.
static uint64_t hashKey(const int32_t *key, uint32_t width) {
  constexpr uint64_t prime = 0x9E3779B97F4A7C15ull;
  uint64_t lane[4] = {width, 1, 2, 3};
  uint32_t i = 0;
  for (; i + 8 <= width; i += 8)
    for (uint32_t k = 0; k < 4; ++k) {
      uint64_t pair;
      memcpy(&pair, key + i + 2 * k, sizeof(pair));
      lane[k] = (lane[k] ^ pair) * prime;
      lane[k] ^= lane[k] >> 29;
    }
  for (; i < width; ++i)
    lane[i & 3] = (lane[i & 3] ^ static_cast<uint32_t>(key[i])) * prime;
  return mix(lane[0] ^ mix(lane[1] ^ mix(lane[2] ^ mix(lane[3]))));
}

uint32_t Memo::newNode(uint32_t state) {
  if (nodes.size == 0 && !nodes.push({{0, 0}, {0, 0}, none, 0, {0, 0}}))
    return 0;
  if (!nodes.push({{0, 0}, {0, 0}, state, 0, {0, 0}}))
    return 0;
  return static_cast<uint32_t>(nodes.size - 1);
}

bool Memo::grow() {
  size_t wanted = stateTable.size ? stateTable.size * 2 : 64;
  if (!stateTable.assignZero(wanted))
    return false;
  for (uint32_t s = 0; s < states.size; ++s) {
    size_t at = hashKey(keys.data + size_t(s) * width, width) & (wanted - 1);
    while (stateTable[at])
      at = (at + 1) & (wanted - 1);
    stateTable[at] = s + 1;
  }
  return true;
}

uint32_t Memo::intern() {
  if (states.size * 2 >= stateTable.size && !grow())
    return none;
  size_t mask = stateTable.size - 1;
  size_t at = hashKey(key.data, width) & mask;
  for (; stateTable[at]; at = (at + 1) & mask) {
    uint32_t state = stateTable[at] - 1;
    if (memcmp(keys.data + size_t(state) * width, key.data,
               width * sizeof(int32_t)) == 0)
      return state;
  }
  size_t old = keys.size;
  if (!keys.reserve(old + width))
    return none;
  uint32_t node = newNode(static_cast<uint32_t>(states.size));
  if (!node || !states.push({node, none, 0, 0, 0, 0}))
    return none;
  if (width)
    memcpy(keys.data + old, key.data, width * sizeof(int32_t));
  keys.size = old + width;
  stateTable[at] = static_cast<uint32_t>(states.size);
  return static_cast<uint32_t>(states.size - 1);
}

uint32_t Memo::child(uint32_t node, uint32_t word, uint32_t &cycles) const {
  cycles = 0;
  if (word < 2) {
    cycles = nodes[node].cycles[word];
    return nodes[node].children[word];
  }
  if (links.size == 0)
    return 0;
  size_t mask = links.size - 1;
  for (size_t at = mix(uint64_t(node) << 32 | word) & mask; links[at].child;
       at = (at + 1) & mask)
    if (links[at].node == node && links[at].word == word) {
      cycles = links[at].cycles;
      return links[at].child;
    }
  return 0;
}

bool Memo::addLink(uint32_t node, uint32_t word, uint32_t child,
                   uint32_t cycles) {
  if (word < 2) {
    nodes[node].children[word] = child;
    nodes[node].cycles[word] = cycles;
    return true;
  }
  if (linkCount * 2 >= links.size) {
    Vec<Link> bigger;
    size_t wanted = links.size ? links.size * 2 : 64;
    if (!bigger.assignZero(wanted))
      return false;
    for (const Link &link : links) {
      if (!link.child)
        continue;
      size_t at = mix(uint64_t(link.node) << 32 | link.word) & (wanted - 1);
      while (bigger[at].child)
        at = (at + 1) & (wanted - 1);
      bigger[at] = link;
    }
    links.release();
    links = bigger;
  }
  size_t mask = links.size - 1;
  size_t at = mix(uint64_t(node) << 32 | word) & mask;
  while (links[at].child)
    at = (at + 1) & mask;
  links[at] = {node, word, child, cycles};
  ++linkCount;
  return true;
}

bool Memo::learn(uint32_t state, const uint32_t *words, const uint32_t *sites,
                 size_t count, uint32_t next, uint32_t cycles) {
  if (count == 0) {
    states[state].next = next;
    states[state].cycles = cycles;
    return true;
  }
  uint32_t node = states[state].node;
  for (size_t i = 0; i + 1 < count; ++i) {
    nodes[node].site = sites[i];
    uint32_t ignored;
    uint32_t inner = child(node, words[i], ignored);
    if (!inner) {
      inner = newNode(none);
      if (!inner || !addLink(node, words[i], inner, 0))
        return false;
    }
    node = inner;
  }
  nodes[node].site = sites[count - 1];
  uint32_t known;
  if (child(node, words[count - 1], known))
    return true;
  return addLink(node, words[count - 1], states[next].node, cycles);
}

void Memo::review() {
  off |= poor();
  if (off || full())
    empty();
  if (!off || patience == 0 || slept < 16 * patience)
    return;
  off = false;
  hits = misses = slept = 0;
  patience = patience * 4 < mostPatience ? patience * 4 : mostPatience;
}

void Memo::empty() {
  keys.clear();
  states.clear();
  nodes.clear();
  stateTable.clear();
  links.clear();
  linkCount = 0;
  touched.clear();
}

void Memo::release() {
  key.release();
  keys.release();
  states.release();
  nodes.release();
  stateTable.release();
  links.release();
  touched.release();
}

} // namespace loom::rt
