// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits the launches of a region, as text.

#include "Stats/Stats.h"

namespace loom::rt {

void addUsage(Usage &sums, const Usage &launch) {
  count(sums.launches, launch.launches);
  count(sums.cycles, launch.cycles);
  count(sums.launch, launch.launch);
  count(sums.transfers, launch.transfers);
  count(sums.moved, launch.moved);
  count(sums.linesIn, launch.linesIn);
  count(sums.linesOut, launch.linesOut);
  count(sums.exceeded, launch.exceeded);
  count(sums.accesses, launch.accesses);
  count(sums.memoryBusy, launch.memoryBusy);
  count(sums.memoryRoom, launch.memoryRoom);
  count(sums.bytesBusy, launch.bytesBusy);
  count(sums.bytesRoom, launch.bytesRoom);
  count(sums.computeBusy, launch.computeBusy);
  count(sums.computeRoom, launch.computeRoom);
  for (unsigned b = 0; b < boundKinds; ++b)
    count(sums.bounds[b], launch.bounds[b]);
  count(sums.bound, launch.bound);
}

Usage readUsage(const Usage &sums) {
  Usage read;
  read.launches = counted(sums.launches);
  read.cycles = counted(sums.cycles);
  read.launch = counted(sums.launch);
  read.transfers = counted(sums.transfers);
  read.moved = counted(sums.moved);
  read.linesIn = counted(sums.linesIn);
  read.linesOut = counted(sums.linesOut);
  read.exceeded = counted(sums.exceeded);
  read.accesses = counted(sums.accesses);
  read.memoryBusy = counted(sums.memoryBusy);
  read.memoryRoom = counted(sums.memoryRoom);
  read.bytesBusy = counted(sums.bytesBusy);
  read.bytesRoom = counted(sums.bytesRoom);
  read.computeBusy = counted(sums.computeBusy);
  read.computeRoom = counted(sums.computeRoom);
  for (unsigned b = 0; b < boundKinds; ++b)
    read.bounds[b] = counted(sums.bounds[b]);
  read.bound = counted(sums.bound);
  return read;
}

static uint64_t thousandths(uint64_t part, uint64_t whole) {
  while (part > UINT64_MAX / 1000) {
    part >>= 1;
    whole >>= 1;
  }
  return whole ? part * 1000 / whole : 0;
}

void appendShare(Text &text, uint64_t part, uint64_t whole) {
  uint64_t share = thousandths(part, whole);
  text.num(share / 1000).str(".");
  text.num(share / 100 % 10).num(share / 10 % 10).num(share % 10);
}

static void appendPercent(Text &text, uint64_t part, uint64_t whole) {
  uint64_t share = thousandths(part, whole);
  text.num(share / 10).str(".").num(share % 10).str(" %");
}

void appendUsage(Text &text, const Usage &usage) {
  text.str(",\"usage\":");
  if (usage.launches == 0) {
    text.str("null");
    return;
  }
  text.str("{\"timed\":").num(usage.launches);
  text.str(",\"cycles\":").num(usage.cycles);
  text.str(",\"accesses\":").num(usage.accesses);
  text.str(",\"memory\":");
  appendShare(text, usage.memoryBusy, usage.memoryRoom);
  if (usage.bytesRoom) {
    text.str(",\"bandwidth\":");
    appendShare(text, usage.bytesBusy, usage.bytesRoom);
  }
  text.str(",\"compute\":");
  appendShare(text, usage.computeBusy, usage.computeRoom);
  text.str(",\"limit\":\"").str(limitName(usage));
  text.str("\",\"bound\":").num(usage.bound);
  text.str(",\"bounds\":{");
  for (unsigned b = 0; b < boundKinds; ++b) {
    if (static_cast<Bound>(b) == Bound::Bandwidth && usage.bytesRoom == 0)
      continue; // no bound of a target without one
    text.str("\"").str(boundName(static_cast<Bound>(b)));
    text.str("\":").num(usage.bounds[b]).str(",");
  }
  text.str("\"launch\":").num(usage.launch);
  if (usage.moved == 0) {
    text.str("}}");
    return;
  }
  text.str(",\"transfers\":").num(usage.transfers).str("}");
  text.str(",\"transfers\":{\"in\":").num(usage.linesIn);
  text.str(",\"out\":").num(usage.linesOut);
  text.str(",\"cycles\":").num(usage.transfers);
  text.str(",\"exceeded\":").num(usage.exceeded).str("}}");
}

void appendUsageText(Text &text, const Usage &usage) {
  if (usage.launches == 0)
    return;
  text.str(", ").num(usage.accesses).str(" accesses, memory ");
  appendPercent(text, usage.memoryBusy, usage.memoryRoom);
  text.str(" busy, ");
  if (usage.bytesRoom) {
    text.str("bandwidth ");
    appendPercent(text, usage.bytesBusy, usage.bytesRoom);
    text.str(" used, ");
  }
  text.str("compute ");
  appendPercent(text, usage.computeBusy, usage.computeRoom);
  text.str(", limit ").str(limitName(usage));
  text.str(", bound ").num(usage.bound).str(" cycles");
  if (usage.moved == 0)
    return;
  text.str(", transfers ").num(usage.transfers).str(" cycles (");
  text.num(usage.linesIn).str(" lines in, ");
  text.num(usage.linesOut).str(" out)");
  if (usage.exceeded)
    text.str(", local memory exceeded");
}

} // namespace loom::rt
