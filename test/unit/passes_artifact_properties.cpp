// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of identities over many modules: mutations, corruptions, resealed
// hostile content, private symbols in every shape.

#include "Canonical.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "passes_harness.h"
#include "passes_mutator.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <map>

using namespace mlir;
using namespace loom;
using namespace loom::test;

/// The canonical bytecode by the production writer, without the second parse.
static std::string bytesOf(ModuleOp module) {
  OwningOpRef<ModuleOp> clone = module.clone();
  if (llvm::Error error = artifact::canonicalise(*clone)) {
    ADD_FAILURE() << toString(std::move(error));
    return "";
  }
  return artifact::encode(*clone);
}

static std::vector<std::unique_ptr<StructuredProgramCandidate>> candidates() {
  std::vector<std::unique_ptr<StructuredProgramCandidate>> result;
  result.push_back(finalizeOrDie(*richProgram()));
  for (const char *kernel : sampleKernels)
    result.push_back(finalizeOrDie(*importKernel(kernel, "-O1")));
  return result;
}

TEST(ArtifactProperties, EverySemanticMutationChangesTheIdentity) {
  std::mt19937_64 random = randomNumbers(20261130);
  std::map<std::string, unsigned> kinds;
  unsigned applied = 0, undetected = 0, finalized = 0;
  // Mutants of the authors' modules, not of canonical ones: there a writer that
  // drops something would have dropped it already.
  std::vector<Program> sources;
  sources.push_back(richProgram());
  for (const char *kernel : sampleKernels)
    sources.push_back(importKernel(kernel, "-O1"));
  std::vector<std::string> originals;
  for (const Program &source : sources)
    originals.push_back(bytesOf(*source));
  for (unsigned attempt = 0; applied < 2200 && attempt < 30000; ++attempt) {
    // The rich module more often: it has every construct.
    size_t which = attempt % 2 ? 0 : random() % sources.size();
    OwningOpRef<ModuleOp> mutant = (*sources[which]).clone();
    ScopedDiagnosticHandler silent(mutant->getContext(),
                                   [](Diagnostic &) { return success(); });
    const char *kind = mutate(*mutant, random);
    if (!kind || failed(mlir::verify(*mutant)))
      continue;
    ++applied;
    ++kinds[kind];
    bool same = bytesOf(*mutant) == originals[which];
    // Some of them all the way.
    if (applied % 20 == 0) {
      ++finalized;
      same |= identityOf(*mutant) ==
              ArtifactIdentity::of(semanticBytes(originals[which])).hex();
    }
    if (same) {
      ++undetected;
      ADD_FAILURE() << "not detected: " << kind << " in module " << which;
    }
  }
  printf("mutations: %u verified, %u undetected, %u of them finalised\n",
         applied, undetected, finalized);
  for (auto &[kind, count] : kinds)
    printf("  %-22s %u\n", kind.c_str(), count);
  EXPECT_GE(applied, 2000u);
  EXPECT_EQ(undetected, 0u);
  EXPECT_EQ(kinds.size(), 18u) << "a kind of mutation was never possible";
}

/// Some damage of `bytes`; never the same bytes.
static std::string damage(const std::string &bytes, std::mt19937_64 &random) {
  std::string result = bytes;
  auto place = [&] { return random() % (result.size() + 1); };
  switch (random() % 6) {
  case 0:
    result[random() % result.size()] ^= char(1 + random() % 255);
    break;
  case 1:
    result.resize(random() % result.size());
    break;
  case 2:
    result.insert(place(), std::string(1 + random() % 16, char(random())));
    break;
  case 3: {
    size_t at = random() % result.size();
    result.erase(at, 1 + random() % 16);
    break;
  }
  case 4:
    for (int i = 0; i < 8; ++i)
      result[random() % result.size()] = char(random());
    break;
  case 5: {
    size_t from = random() % result.size(), to = place();
    result.insert(to, result.substr(from, 1 + random() % 64));
    break;
  }
  }
  return result == bytes ? result + "x" : result;
}

TEST(ArtifactProperties, CorruptedObjectsAreRejected) {
  std::mt19937_64 random = randomNumbers(5000);
  std::map<std::string, unsigned> codes;
  std::vector<std::string> objects;
  for (auto &candidate : candidates())
    objects.push_back(sealObject(candidate->semanticBytes()));
  for (unsigned i = 0; i < 5000; ++i) {
    std::string bytes = damage(objects[i % objects.size()], random);
    std::string code = codeOf(importObject(bytes, ImportMode::InProcess));
    ++codes[code.empty() ? "accepted" : code];
  }
  // Every single bit of the framing and of the digest.
  const std::string &object = objects.front();
  for (size_t at = 0; at < object.size();
       at = at == 60 ? object.size() - 32 : at + 1)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = object;
      bytes[at] ^= char(1 << bit);
      std::string code = codeOf(importObject(bytes, ImportMode::InProcess));
      ++codes[code.empty() ? "accepted" : code];
    }
  printf("corrupted objects:\n");
  for (auto &[code, count] : codes)
    printf("  %-14s %u\n", code.c_str(), count);
  EXPECT_EQ(codes["accepted"], 0u);
}

TEST(ArtifactProperties, ResealedHostileContentNeverCrashesTheImporter) {
  std::mt19937_64 random = randomNumbers(500);
  std::map<std::string, unsigned> codes;
  auto candidate = finalizeOrDie(*richProgram());
  std::string bytecode = cantFail(bytecodeOf(candidate->semanticBytes())).str();
  unsigned accepted = 0;
  for (unsigned i = 0; i < 500; ++i) {
    std::string semantic = semanticBytes(damage(bytecode, random));
    auto imported = importObject(sealObject(semantic));
    if (!imported) {
      ++codes[codeOf(imported.takeError())];
      continue;
    }
    // Whatever is accepted is another canonical program.
    ++accepted;
    EXPECT_NE((*imported)->identity(), candidate->identity());
    EXPECT_EQ(finalizeOrDie((*imported)->module())->semanticBytes(), semantic);
  }
  printf("resealed content: %u are other canonical programs\n", accepted);
  for (auto &[code, count] : codes)
    printf("  %-14s %u\n", code.c_str(), count);
}

/// Changes everything that has no meaning: private names, the order of members
/// and uses, locations.
static void disturb(ModuleOp module, std::mt19937_64 &random) {
  std::vector<Operation *> members;
  for (Operation &op : *module.getBody())
    members.push_back(&op);
  unsigned next = random() % 1000;
  DenseMap<StringAttr, StringAttr> fresh;
  for (Operation *member : members) {
    auto symbol = dyn_cast<SymbolOpInterface>(member);
    if (!symbol || !symbol.getName().starts_with("#"))
      continue;
    // The canonical names are those of the private symbols.
    std::string name =
        "p" + std::to_string(random() % 97) + "." + std::to_string(next++);
    fresh[symbol.getNameAttr()] = StringAttr::get(module.getContext(), name);
    symbol.setName(fresh.lookup(symbol.getNameAttr()));
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr use) -> std::optional<Attribute> {
    StringAttr name = fresh.lookup(use.getRootReference());
    if (!name)
      return std::nullopt;
    return SymbolRefAttr::get(name, use.getNestedReferences());
  });
  replacer.recursivelyReplaceElementsIn(module);
  std::shuffle(members.begin(), members.end(), random);
  for (Operation *member : members)
    if (!member->hasAttr("section"))
      member->moveBefore(module.getBody(), module.getBody()->end());
  module->walk([&](Operation *op) {
    op->setLoc(FileLineColLoc::get(op->getContext(), "x.c",
                                   unsigned(random() % 999), 1));
    for (Value result : op->getResults()) {
      SmallVector<unsigned> order;
      for (OpOperand &use : result.getUses()) {
        (void)use;
        order.push_back(order.size());
      }
      std::shuffle(order.begin(), order.end(), random);
      if (order.size() > 1)
        result.shuffleUseList(order);
    }
  });
}

TEST(ArtifactProperties, DisturbedModulesKeepTheIdentity) {
  std::mt19937_64 random = randomNumbers(4);
  auto bases = candidates();
  // Modules of real projects, when somebody names some (colons between).
  if (const char *list = std::getenv("LOOM_TEST_OBJECTS")) {
    SmallVector<StringRef> paths;
    StringRef(list).split(paths, ':', -1, false);
    for (StringRef path : paths) {
      auto file = llvm::MemoryBuffer::getFile(path, false, false);
      ASSERT_TRUE(bool(file)) << path.str();
      bases.push_back(cantFail(importObject((*file)->getBuffer())));
    }
  }
  unsigned rounds = 0, symbols = 0;
  for (auto &base : bases)
    for (int round = 0; round < 3; ++round, ++rounds) {
      OwningOpRef<ModuleOp> clone = base->module().clone();
      disturb(*clone, random);
      for (auto symbol : clone->getOps<SymbolOpInterface>())
        symbols += symbol.getName().starts_with("p");
      EXPECT_EQ(semanticBytes(bytesOf(*clone)), base->semanticBytes());
    }
  printf("disturbed: %u modules, %u private symbols renamed\n", rounds,
         symbols);
  EXPECT_GT(symbols, 50u);
}

namespace {
/// Private functions without a visible one; edges[i]: whom i mentions in order.
using Edges = std::vector<std::vector<unsigned>>;
} // namespace

static std::string privateModule(const Edges &edges,
                                 const std::vector<unsigned> &content,
                                 const std::vector<unsigned> &order,
                                 const std::vector<std::string> &names) {
  std::string text = "module {\n";
  for (unsigned i : order) {
    text += "llvm.func internal @" + names[i] + "() -> i32 {\n";
    unsigned n = 0;
    for (unsigned j : edges[i]) {
      std::string v = "%" + std::to_string(n++);
      text += v + " = llvm.mlir.addressof @" + names[j] + " : !llvm.ptr\n%l" +
              v.substr(1) + " = llvm.load volatile " + v +
              " : !llvm.ptr -> i32\n";
    }
    text += "%r = llvm.mlir.constant(" + std::to_string(content[i]) +
            " : i32) : i32\nllvm.return %r : i32\n}\n";
  }
  return text + "}";
}

TEST(ArtifactProperties, TooSymmetricSymbolsAreRefusedNotGuessed) {
  // A cycle of equal functions that nothing else reaches.
  unsigned count = 300;
  Edges edges;
  std::vector<unsigned> order, content(count, 0);
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    edges.push_back({(i + 1) % count});
    order.push_back(i);
    names.push_back("n" + std::to_string(i));
  }
  Program program = parseText(privateModule(edges, content, order, names));
  EXPECT_EQ(codeOf(finalizeProgram(*program)), "symbol-symmetry");
}

static std::string canonicalText(const Edges &edges,
                                 const std::vector<unsigned> &content,
                                 std::mt19937_64 &random) {
  std::vector<unsigned> order(edges.size());
  std::vector<std::string> names;
  for (unsigned i = 0; i < order.size(); ++i) {
    order[i] = i;
    names.push_back("n" + std::to_string(i));
  }
  std::shuffle(order.begin(), order.end(), random);
  std::shuffle(names.begin(), names.end(), random);
  Program program = parseText(privateModule(edges, content, order, names));
  return bytesOf(*program);
}

TEST(ArtifactProperties, UnreachablePrivateSymbolsHaveOneOrder) {
  std::mt19937_64 random = randomNumbers(99);
  // Symmetric shapes: twins, a cycle, two equal trees under one root, two
  // cycles, stars that share a leaf.
  std::vector<Edges> shapes = {
      {{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}},
      {{1}, {2}, {3}, {4}, {0}},
      {{1, 2}, {3, 4}, {5, 6}, {}, {}, {}, {}},
      {{1}, {2}, {0}, {4}, {5}, {3}},
      {{6}, {6}, {6}, {7}, {7}, {7}, {}, {}},
      {{1}, {9}, {3}, {9}, {5}, {9}, {7}, {9}, {9}, {}},
      {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}},
      {{0}, {1}, {2}, {1, 3}},
  };
  for (unsigned i = 0; i < 60; ++i) {
    Edges edges(2 + random() % 8);
    for (auto &list : edges)
      for (unsigned n = random() % 3; n; --n)
        list.push_back(random() % edges.size());
    shapes.push_back(edges);
  }
  for (const Edges &edges : shapes) {
    std::vector<unsigned> content(edges.size());
    for (unsigned &value : content)
      value = random() % 2;
    for (bool plain : {true, false}) {
      if (plain)
        std::fill(content.begin(), content.end(), 0);
      std::string first = canonicalText(edges, content, random);
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(canonicalText(edges, content, random), first);
    }
  }
  // Equal in every local view, yet different: one cycle of six, two of three.
  std::vector<unsigned> zero(6, 0);
  EXPECT_NE(canonicalText({{1}, {2}, {3}, {4}, {5}, {0}}, zero, random),
            canonicalText({{1}, {2}, {0}, {4}, {5}, {3}}, zero, random));
}
