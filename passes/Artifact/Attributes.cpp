// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Attributes.h"
#include "loom/Artifact/SourceHints.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace loom;
using namespace loom::artifact;

namespace {
struct Row {
  StringLiteral name; ///< a whole name, or a prefix if it ends in a dot
  AttributeUse use;
};
} // namespace

static constexpr Row rows[] = {
    // Selected decisions of the structured program.
    {"loom.root_relative_address", AttributeUse::Semantic},
    {"loom.special_math_accuracy", AttributeUse::Semantic},
    // Transient.
    {sourceHintAttr, AttributeUse::Hint},
    {"loom.plan", AttributeUse::Plan},
    {"loom.plan.", AttributeUse::Plan},
    {"transform.", AttributeUse::Plan},
    {consumedHintAttr, AttributeUse::Dropped},
    {"loom.label", AttributeUse::Dropped},    // what a viewer shows
    {"loom.visual.", AttributeUse::Dropped},  // how it shows it
    {"loom.derived.", AttributeUse::Dropped}, // results of analyses
    {"loom.author_id", AttributeUse::Dropped},
    {"dataflow.entity_id", AttributeUse::Dropped},
    {"llvm.ident", AttributeUse::Dropped},
    {"llvm.commandline", AttributeUse::Dropped},
    {"llvm.target", AttributeUse::Target}, // a chosen code generator
};

AttributeUse loom::artifact::attributeUse(StringRef name) {
  for (const Row &row : rows)
    if (row.name.ends_with(".") ? name.starts_with(row.name) : name == row.name)
      return row.use;
  StringRef dialect = name.split('.').first;
  if (dialect == "loom")
    return AttributeUse::Placeholder;
  return isTargetDialect(dialect) ? AttributeUse::Target
                                  : AttributeUse::Semantic;
}

bool loom::artifact::isTargetDialect(StringRef name) {
  return is_contained({"amdgpu", "amx", "arm_neon", "arm_sme", "arm_sve", "gpu",
                       "nvgpu", "nvvm", "rocdl", "spatial", "spirv", "wasmssa",
                       "x86vector", "xegpu", "xevm"},
                      name);
}
