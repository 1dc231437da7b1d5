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

static uint64_t hashKey(const int32_t *key, uint32_t width) {
  uint64_t hash = width;
  for (uint32_t i = 0; i < width; ++i)
    hash = (hash ^ static_cast<uint32_t>(key[i])) * 0x100000001B3ull;
  return mix(hash);
}

uint32_t Memo::newNode() {
  if (nodes.size == 0 && !nodes.push({}))
    return 0;
  if (!nodes.push({}))
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
  uint32_t node = newNode();
  if (!node || !states.push({node, 0, 0, 0}))
    return none;
  if (width)
    memcpy(keys.data + old, key.data, width * sizeof(int32_t));
  keys.size = old + width;
  stateTable[at] = static_cast<uint32_t>(states.size);
  return static_cast<uint32_t>(states.size - 1);
}

uint32_t Memo::child(uint32_t node, uint32_t word) const {
  if (word < 2)
    return nodes[node].children[word];
  if (links.size == 0)
    return 0;
  size_t mask = links.size - 1;
  for (size_t at = mix(uint64_t(node) << 32 | word) & mask; links[at].child;
       at = (at + 1) & mask)
    if (links[at].node == node && links[at].word == word)
      return links[at].child;
  return 0;
}

bool Memo::addLink(uint32_t node, uint32_t word, uint32_t child) {
  if (word < 2) {
    nodes[node].children[word] = child;
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
  links[at] = {node, word, child};
  ++linkCount;
  return true;
}

uint32_t Memo::path(uint32_t state, const uint32_t *words, size_t count) {
  uint32_t node = states[state].node;
  for (size_t i = 0; i < count; ++i) {
    uint32_t next = child(node, words[i]);
    if (!next) {
      next = newNode();
      if (!next || !addLink(node, words[i], next))
        return 0;
    }
    node = next;
  }
  return node;
}

void Memo::review() {
  off |= poor();
  if (off || full())
    empty();
}

void Memo::empty() {
  keys.clear();
  states.clear();
  nodes.clear();
  stateTable.clear();
  links.clear();
  linkCount = 0;
}

void Memo::release() {
  key.release();
  keys.release();
  states.release();
  nodes.release();
  stateTable.release();
  links.release();
}

} // namespace loom::rt
