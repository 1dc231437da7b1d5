// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The capability view: what the one target of a link proves absent. Derived
// from the target, never written into a program, thrown away at will. Silence
// is no proof that something can be mapped.

#ifndef LOOM_FABRIC_CAPABILITY_VIEW_H
#define LOOM_FABRIC_CAPABILITY_VIEW_H

#include "loom/Fabric/Capability/Target.h"
#include <map>

namespace loom::fabric {

/// What one actor asks of the device.
struct ActorDemand {
  enum Kind : uint8_t { Compute, Stream, Token, Access };
  Kind kind = Compute;
  std::string op; ///< compute: the name of the operation
  Element type;   ///< as in the rows
  Element from;   ///< compute: of the operand of a conversion
  bool converts = false;
  unsigned lanes = 1;
  unsigned fan = 0;   ///< sync, mux, demux
  unsigned flags = 0; ///< fast-math flags that the actor has
  Accuracy accepts = Accuracy::CorrectlyRounded;
  StepKind step = StepKind::Add;
  TokenKind token = TokenKind::Constant;
  AccessKind access = AccessKind::Load;
  AccessForm form = AccessForm::Element;
  AddressForm address = AddressForm::Root;
  Ordering ordering = Ordering::Plain;
  bool masked = false;
  Element addressType; ///< access: an integer, index, or a pointer

  auto key() const {
    return std::tie(kind, op, type, from, converts, lanes, fan, flags, accepts,
                    step, token, access, form, address, ordering, masked,
                    addressType);
  }
  bool operator<(const ActorDemand &o) const { return key() < o.key(); }
};

/// What a program takes for granted of the machine.
struct ProgramAbi {
  std::vector<Element> pointers;
  Endianness endianness = Endianness::Little;
  std::string triple;
};

class CapabilityView {
public:
  explicit CapabilityView(const Target &target) : target(target) {}

  /// The first capability that is proved absent, in words; empty if none is.
  std::string lacks(const ActorDemand &demand) const;
  std::string lacks(const ProgramAbi &abi) const;

  /// How many units of the target could serve the actor, over all cores: an
  /// upper bound for what a mapper finds.
  uint64_t occurrences(const ActorDemand &demand) const;

private:
  std::string findAbsence(const ActorDemand &demand, uint64_t &units) const;

  const Target &target;
  struct Answer {
    std::string absence;
    uint64_t units = 0;
  };
  const Answer &answer(const ActorDemand &demand) const;
  mutable std::map<ActorDemand, Answer> known; // actors repeat
};

} // namespace loom::fabric

#endif
