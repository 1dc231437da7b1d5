// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Views/ViewCache.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SHA256.h"
#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace loom;
using namespace loom::views;

static auto tied(const ViewConfig &c) {
  return std::tie(c.operations, c.queryOperations, c.queries, c.cases, c.pairs);
}

bool ViewKey::operator<(const ViewKey &other) const {
  return std::make_tuple(std::cref(candidate), std::cref(analyzer),
                         tied(config), std::cref(subjects)) <
         std::make_tuple(std::cref(other.candidate), std::cref(other.analyzer),
                         tied(other.config), std::cref(other.subjects));
}

static Digest digestOf(llvm::StringRef text) {
  llvm::SHA256 hash;
  hash.update(text);
  return hash.final();
}

ViewKey views::viewKeyOf(SpatialRegionOp region, const ViewConfig &config) {
  ViewKey key;
  key.analyzer = AnalyzerIdentity.str();
  key.config = config;
  std::string text;
  llvm::raw_string_ostream out(text);
  // From the region inwards: names of values outside don't matter.
  region->print(out, OpPrintingFlags().useLocalScope().assumeVerified());
  key.candidate = digestOf(text);

  // The envelope: which inputs are one value, and what is stated about them.
  text.clear();
  OperandRange inputs = region.getInputs();
  for (auto [number, input] : llvm::enumerate(inputs)) {
    out << std::distance(inputs.begin(), llvm::find(inputs, input)) << ":";
    auto argument = dyn_cast<BlockArgument>(input);
    auto function =
        argument
            ? dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp())
            : LLVM::LLVMFuncOp();
    if (function && argument.getOwner() == &function.getBody().front())
      if (DictionaryAttr facts =
              function.getArgAttrDict(argument.getArgNumber()))
        out << facts;
    out << ";";
  }
  key.subjects.push_back(digestOf(text));

  text.clear();
  region->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto where = op->getLoc()->findInstanceOf<FileLineColLoc>())
      out << where.getLine();
    out << ";";
  });
  key.subjects.push_back(digestOf(text));
  return key;
}

std::shared_ptr<const RegionViews>
ViewCache::get(const ViewKey &key, llvm::function_ref<RegionViews()> derive) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = entries.find(key);
    if (known != entries.end()) {
      ++found;
      known->second.used = ++clock;
      return known->second.views;
    }
  }
  auto views = std::make_shared<const RegionViews>(derive());
  std::lock_guard<std::mutex> lock(mutex);
  if (!capacity)
    return views;
  if (entries.size() >= capacity && !entries.count(key))
    entries.erase(std::min_element(entries.begin(), entries.end(),
                                   [](const auto &a, const auto &b) {
                                     return a.second.used < b.second.used;
                                   }));
  entries[key] = {views, ++clock};
  return views;
}

void ViewCache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  entries.clear();
}

size_t ViewCache::size() const {
  std::lock_guard<std::mutex> lock(mutex);
  return entries.size();
}

uint64_t ViewCache::hits() const {
  std::lock_guard<std::mutex> lock(mutex);
  return found;
}
