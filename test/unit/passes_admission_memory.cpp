// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admission of accesses, control, counts and the ABI, in the way of
// passes_admission.cpp.

#include "passes_admission.h"

using namespace admissiontest;

namespace {

TEST_F(Admission, MemoryRows) {
  using A = AddressForm;
  using F = AccessForm;
  using K = AccessKind;
  expectFlips("load", withoutAccess(K::Load, F::Element, A::Root),
              {"load", "load16"});
  expectFlips("load pointer", withoutAccess(K::Load, F::Element, A::Pointer),
              {"load_ptr"});
  expectFlips("load contiguous", withoutAccess(K::Load, F::Contiguous, A::Root),
              {"load_v4"});
  expectFlips("load indexed", withoutAccess(K::Load, F::Indexed, A::Root), {});
  expectFlips("store", withoutAccess(K::Store, F::Element, A::Root), {"store"});
  expectFlips("store pointer", withoutAccess(K::Store, F::Element, A::Pointer),
              {"store_ptr"});
  expectFlips("ordering",
              [](Target &target) {
                for (AccessRow &row : target.accesses)
                  if (row.kind == K::Store)
                    row.ordering = Ordering::Volatile;
              },
              {"store", "store_ptr"});
  expectFlips("i16",
              [](Target &target) {
                for (AccessRow &row : target.accesses)
                  drop(row.types, i16);
              },
              {"load16"});
}

TEST_F(Admission, FansAndSteps) {
  auto fan = [](TokenKind kind) {
    return tokens(kind, [](TokenRow &row) { row.fan = 2; });
  };
  expectFlips("sync", fan(TokenKind::Sync), {"sync3"});
  expectFlips("mux", fan(TokenKind::Mux), {"mux3"});
  expectFlips("demux", fan(TokenKind::Demux), {"demux3"});
  auto step = [](StepKind kind) {
    return [=](Target &target) {
      llvm::erase_if(target.streams,
                     [=](const StreamRow &row) { return row.step == kind; });
    };
  };
  expectFlips("add", step(StepKind::Add), {"count"});
  expectFlips("mul", step(StepKind::Mul), {"double"});
  auto kind = [](TokenKind kind) {
    return [=](Target &target) {
      llvm::erase_if(target.tokens,
                     [=](const TokenRow &row) { return row.kind == kind; });
    };
  };
  expectFlips("invariant", kind(TokenKind::Invariant), {"invariant"});
  expectFlips("gate", kind(TokenKind::Gate), {"gate"});
}

/// Counts are no mapping: one unit is enough for any graph, none for no graph.
TEST_F(Admission, Counts) {
  auto count = [](uint32_t units) {
    return rowsWith("math.fma",
                    [=](ComputeRow &row) { row.costs.count = units; });
  };
  expectFlips("one", count(1), {});
  expectFlips("none", count(0), {"fma"});
  EXPECT_NE(details.find("has no unit for math.fma"), std::string::npos);
  ActorDemand demand;
  demand.op = "math.fma";
  demand.type = f32;
  EXPECT_EQ(CapabilityView(whole).occurrences(demand), 19u * 8u);
  demand.type = i32;
  EXPECT_EQ(CapabilityView(whole).occurrences(demand), 0u);
}

TEST_F(Admission, Abi) {
  CapabilityView view(whole);
  ProgramAbi abi{{pointer}, Endianness::Little, "x86_64-pc-linux-gnu"};
  EXPECT_EQ(view.lacks(abi), "");
  abi.endianness = Endianness::Big;
  EXPECT_EQ(view.lacks(abi), "big-endian memory");
  abi = {{Element{Element::Pointer, 32, 0}}, Endianness::Little, ""};
  EXPECT_EQ(view.lacks(abi), "ptr<0, 32>");
  Target arm = whole;
  arm.abi.triple = "aarch64";
  abi = {{pointer}, Endianness::Little, "x86_64-pc-linux-gnu"};
  EXPECT_EQ(CapabilityView(arm).lacks(abi), "triple x86_64-pc-linux-gnu");
}

} // namespace
