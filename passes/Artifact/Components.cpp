// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A labelled graph: vertices are members and distinct attributes, edges the
// references in their order. Colours are refined by content and neighbourhood
// (in both directions); a vertex with a colour of its own is placed. What is
// left falls into parts that share no edge and are ordered by their codes. In a
// part where no vertex stands out, each vertex of the first class is tried as
// the first one, and the smallest code wins.

#include "Components.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/SHA256.h"
#include <array>
#include <map>
#include <set>

using namespace mlir;
using namespace loom;
using namespace loom::artifact;

using Colour = std::array<uint8_t, 32>;

namespace {

struct Vertex {
  Attribute attribute; ///< the name of a private symbol, or a distinct one
  Operation *member = nullptr;
  std::string text;
  /// Vertices, or ~number for what is numbered already.
  SmallVector<int64_t> out;
  SmallVector<std::pair<unsigned, unsigned>> in; ///< (vertex, position)
};

/// Hashes a sequence of fields, each with its length.
class Hasher {
public:
  Hasher &add(StringRef bytes) {
    add(uint64_t(bytes.size()));
    sha.update(bytes);
    return *this;
  }
  Hasher &add(uint64_t value) {
    uint8_t raw[8];
    for (uint8_t &byte : raw) {
      byte = uint8_t(value);
      value >>= 8;
    }
    sha.update(ArrayRef<uint8_t>(raw));
    return *this;
  }
  Hasher &add(const Colour &colour) {
    sha.update(ArrayRef<uint8_t>(colour));
    return *this;
  }
  Colour result() { return sha.final(); }

private:
  llvm::SHA256 sha;
};

/// What a search has placed already: vertex to number.
using Placed = std::map<unsigned, uint64_t>;
using Vertices = SmallVector<unsigned>;

class Graph {
public:
  Graph(ArrayRef<Operation *> members, const Privacy &privacy,
        ReferenceCollector &references,
        const DenseMap<Attribute, unsigned> &numbers) {
    for (Operation *member : members) {
      Vertex vertex;
      vertex.attribute = cast<SymbolOpInterface>(member).getNameAttr();
      vertex.member = member;
      vertex.text = anonymousText(member, privacy, references.of(member));
      index[vertex.attribute] = vertices.size();
      vertices.push_back(std::move(vertex));
    }
    for (size_t v = 0; v < members.size(); ++v)
      for (Attribute reference : references.of(members[v])) {
        if (auto it = numbers.find(reference); it != numbers.end()) {
          vertices[v].out.push_back(~int64_t(it->second));
          continue;
        }
        auto [it, isNew] = index.try_emplace(reference, vertices.size());
        if (isNew) { // a distinct attribute
          Vertex vertex;
          vertex.attribute = reference;
          vertices.push_back(std::move(vertex));
        }
        unsigned target = it->second;
        vertices[target].in.push_back(
            {unsigned(v), unsigned(vertices[v].out.size())});
        vertices[v].out.push_back(target);
      }
  }

  /// The vertices in canonical order; empty when the search was too long.
  Vertices order() {
    Vertices everything;
    for (unsigned v = 0; v < vertices.size(); ++v)
      everything.push_back(v);
    Vertices result = orderParts(split(everything), {});
    return exhausted() ? Vertices() : result;
  }

  std::vector<Vertex> vertices;

private:
  /// Vertices times rounds of refinement.
  int64_t budget = 1000000;
  bool exhausted() const { return budget <= 0; }

  /// Weakly connected parts of the graph of `some` vertices.
  std::vector<Vertices> split(ArrayRef<unsigned> some) const {
    std::vector<Vertices> result;
    llvm::DenseSet<unsigned> open(some.begin(), some.end());
    for (unsigned start : some) {
      if (!open.erase(start))
        continue;
      Vertices part{start};
      for (size_t next = 0; next < part.size(); ++next) {
        const Vertex &vertex = vertices[part[next]];
        for (int64_t target : vertex.out)
          if (target >= 0 && open.erase(unsigned(target)))
            part.push_back(unsigned(target));
        for (auto [user, position] : vertex.in)
          if (open.erase(user))
            part.push_back(user);
      }
      result.push_back(std::move(part));
    }
    return result;
  }

  /// Colours of `some`, refined until no class splits any more.
  std::map<unsigned, Colour> refine(ArrayRef<unsigned> some,
                                    const Placed &placed) {
    std::map<unsigned, Colour> colours;
    for (unsigned v : some)
      colours[v] = Hasher().add(vertices[v].text).result();
    auto neighbour = [&](Hasher &hasher, unsigned v) {
      if (auto it = placed.find(v); it != placed.end())
        hasher.add("placed").add(it->second);
      else if (auto it = colours.find(v); it != colours.end())
        hasher.add(it->second);
      // Else it is in another part, and the edge is none of ours.
    };
    auto classes = [&] {
      std::set<Colour> distinct;
      for (auto &[v, colour] : colours)
        distinct.insert(colour);
      return distinct.size();
    };
    for (size_t before = 0, now = classes(); now != before && !exhausted();) {
      before = now;
      std::map<unsigned, Colour> next;
      for (unsigned v : some) {
        Hasher hasher;
        hasher.add(colours[v]).add(uint64_t(vertices[v].out.size()));
        for (int64_t target : vertices[v].out)
          target < 0 ? (void)hasher.add(uint64_t(target))
                     : neighbour(hasher, unsigned(target));
        SmallVector<Colour> users;
        for (auto [user, position] : vertices[v].in) {
          Hasher edge;
          neighbour(edge, user);
          users.push_back(edge.add(uint64_t(position)).result());
        }
        llvm::sort(users);
        for (const Colour &user : users)
          hasher.add(user);
        next[v] = hasher.result();
        --budget;
      }
      colours = std::move(next);
      now = classes();
    }
    return colours;
  }

  /// Everything that tells `order` from another order, given what is placed.
  std::string code(ArrayRef<unsigned> order, const Placed &placed) const {
    std::map<unsigned, unsigned> place;
    for (auto [index, v] : llvm::enumerate(order))
      place[v] = index;
    auto reference = [&](unsigned v) {
      if (auto it = placed.find(v); it != placed.end())
        return "\2" + std::to_string(it->second);
      return "\3" + std::to_string(place.at(v));
    };
    std::string text;
    for (unsigned v : order) {
      text += vertices[v].text;
      for (int64_t target : vertices[v].out)
        text += target < 0 ? "\5" + std::to_string(~target)
                           : reference(unsigned(target));
      SmallVector<std::string> users;
      for (auto [user, position] : vertices[v].in)
        if (placed.count(user))
          users.push_back("\6" + reference(user) + "\7" +
                          std::to_string(position));
      llvm::sort(users);
      for (const std::string &user : users)
        text += user;
      text += '\4';
    }
    return text;
  }

  /// Parts that share no edge, by their codes. Parts with equal codes are
  /// images of each other, so which comes first does not matter.
  Vertices orderParts(const std::vector<Vertices> &parts,
                      const Placed &placed) {
    SmallVector<std::pair<std::string, Vertices>> coded;
    for (const Vertices &part : parts) {
      Vertices order = orderPart(part, placed);
      if (exhausted())
        return {};
      std::string text = code(order, placed);
      coded.push_back({std::move(text), std::move(order)});
    }
    llvm::stable_sort(coded, llvm::less_first());
    Vertices result;
    for (auto &[text, order] : coded)
      llvm::append_range(result, order);
    return result;
  }

  Vertices orderPart(ArrayRef<unsigned> part, const Placed &placed) {
    std::map<unsigned, Colour> colours = refine(part, placed);
    std::map<Colour, Vertices> classes;
    for (unsigned v : part)
      classes[colours[v]].push_back(v);
    Vertices order, rest;
    Placed now = placed;
    for (auto &[colour, members] : classes) {
      if (members.size() != 1) {
        llvm::append_range(rest, members);
        continue;
      }
      now[members.front()] = now.size();
      order.push_back(members.front());
    }
    if (rest.empty() || exhausted())
      return order;
    std::vector<Vertices> parts = split(rest);
    if (!order.empty() || parts.size() > 1) {
      llvm::append_range(order, orderParts(parts, now));
      return order;
    }
    // No vertex stands out: each of the first class is tried as the first.
    for (auto &[colour, members] : classes)
      return orderByChoice(part, members, placed);
    return order;
  }

  Vertices orderByChoice(ArrayRef<unsigned> part, ArrayRef<unsigned> choices,
                         const Placed &placed) {
    Vertices best;
    std::string bestCode;
    for (unsigned chosen : choices) {
      Placed now = placed;
      now[chosen] = now.size();
      Vertices rest;
      for (unsigned v : part)
        if (v != chosen)
          rest.push_back(v);
      Vertices order{chosen};
      llvm::append_range(order, orderParts(split(rest), now));
      if (exhausted())
        return {};
      std::string text = code(order, placed);
      if (best.empty() || text < bestCode) {
        best = std::move(order);
        bestCode = std::move(text);
      }
    }
    return best;
  }

  DenseMap<Attribute, unsigned> index;
};

} // namespace

llvm::Expected<SmallVector<Operation *>>
loom::artifact::orderUnreachable(ArrayRef<Operation *> members,
                                 const Privacy &privacy,
                                 ReferenceCollector &references,
                                 const DenseMap<Attribute, unsigned> &numbers) {
  SmallVector<Operation *> result;
  if (members.empty())
    return result;
  Graph graph(members, privacy, references, numbers);
  Vertices order = graph.order();
  if (order.empty())
    return artifactError(ArtifactFault::SymbolSymmetry,
                         Twine(members.size()) + " symbols");
  for (unsigned v : order)
    if (Operation *member = graph.vertices[v].member)
      result.push_back(member);
  return result;
}
