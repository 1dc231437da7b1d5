// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The views as text, for `loom views` and tests.

#include "loom/Structured/Views/Views.h"
#include "llvm/Support/Format.h"

using namespace loom;
using namespace loom::views;

std::string views::textOf(const LinearForm &form,
                          const std::vector<VariableView> &variables) {
  std::string text;
  llvm::raw_string_ostream out(text);
  bool first = true;
  auto term = [&](const Integer &factor, llvm::StringRef name) {
    out << (first ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + "));
    first = false;
    Integer size = llvm::abs(factor);
    if (name.empty())
      out << size;
    else if (size == 1)
      out << name;
    else
      out << size << "*" << name;
  };
  for (const auto &[number, factor] : form.terms)
    term(factor, variables[number].name);
  if (form.constant != 0 || first)
    term(form.constant, "");
  return text;
}

namespace {

std::string textOf(const Distance &d) {
  if (d.least && d.most && *d.least == *d.most)
    return std::to_string(*d.least);
  if (!d.least && !d.most)
    return "*";
  if (d.least && !d.most && (*d.least == 0 || *d.least == 1))
    return *d.least ? "+" : "0+";
  if (d.most && !d.least && (*d.most == 0 || *d.most == -1))
    return *d.most ? "-" : "0-";
  return "[" + (d.least ? std::to_string(*d.least) : "") + ".." +
         (d.most ? std::to_string(*d.most) : "") + "]";
}

std::string loopList(const std::vector<unsigned> &loops) {
  std::string text;
  for (unsigned loop : loops)
    text += (text.empty() ? "L" : " L") + std::to_string(loop);
  return text.empty() ? "no loop" : text;
}

std::string opName(const RegionViews &v, unsigned op) {
  for (auto [number, access] : llvm::enumerate(v.memory.accesses))
    if (access.op == op)
      return "A" + std::to_string(number);
  for (auto [number, loop] : llvm::enumerate(v.domains.loops))
    if (loop.op == op)
      return "L" + std::to_string(number);
  return "op " + std::to_string(op);
}

std::string why(llvm::StringRef reason) {
  return reason.empty() ? "" : (" (" + reason + ")").str();
}

void printDomains(const RegionViews &v, llvm::raw_ostream &out) {
  out << "  loops\n";
  for (auto [number, loop] : llvm::enumerate(v.domains.loops)) {
    const LoopVerdict &verdict = v.dependence.loops[number];
    out.indent(4 + 2 * loop.depth) << "L" << number << " (op " << loop.op;
    if (loop.line)
      out << ", line " << loop.line;
    out << "): " << loop.bounds << ": " << nameOf(verdict.admission)
        << why(verdict.why) << "\n";
  }
  out << "  domains\n";
  for (auto [number, domain] : llvm::enumerate(v.domains.domains))
    out << "    D" << number << " in " << loopList(domain.loops) << ": "
        << nameOf(domain.precision) << why(domain.why) << " " << domain.text
        << "\n";
}

void printMemory(const RegionViews &v, llvm::raw_ostream &out) {
  const MemoryAccessView &m = v.memory;
  out << "  accesses\n";
  for (auto [number, access] : llvm::enumerate(m.accesses)) {
    out << "    A" << number << " (op " << access.op;
    if (access.line)
      out << ", line " << access.line;
    out << "): " << (access.isWrite ? "store " : "load ") << access.type
        << " at " << m.roots[access.root].name;
    if (access.known)
      out << " + " << views::textOf(access.offset, v.variables);
    else
      out << " + unknown" << why(access.why);
    out << ", D" << v.domains.domainOf[access.op] << "\n";
  }
  for (unsigned op : m.unknownEffects)
    out << "    op " << op << ": unknown effects\n";
  out << "  roots\n";
  for (unsigned i = 0; i < m.roots.size(); ++i)
    for (unsigned j = i + 1; j < m.roots.size(); ++j) {
      const AliasView &alias = m.aliases[i][j];
      out << "    " << m.roots[i].name << ", " << m.roots[j].name << ": "
          << (alias.alias == Alias::No    ? "no alias"
              : alias.alias == Alias::May ? "may alias"
                                          : "must alias")
          << why(alias.why) << "\n";
    }
}

void printDependences(const RegionViews &v, llvm::raw_ostream &out) {
  static constexpr llvm::StringLiteral kinds[] = {"flow", "anti", "output",
                                                  "carried", "control"};
  out << "  dependences\n";
  for (const Dependence &d : v.dependence.dependences) {
    if (d.kind == Dependence::Control)
      continue; // the nesting says it
    out << "    " << kinds[d.kind] << " " << opName(v, d.source) << " -> "
        << opName(v, d.target) << ": ";
    if (d.anyLoop)
      out << "any order in " << loopList(d.loops);
    else if (d.loop < 0)
      out << "one iteration";
    else
      out << "carried by L" << d.loop;
    out << ", distance (";
    for (auto [i, distance] : llvm::enumerate(d.distances))
      out << (i ? ", " : "") << textOf(distance);
    out << "), " << (d.proven ? "proven" : "not excluded") << why(d.why)
        << "\n";
  }
}

void printIncomplete(const RegionViews &v, llvm::raw_ostream &out) {
  if (!v.dependence.incomplete.empty())
    out << "    not complete in " << loopList(v.dependence.incomplete)
        << " (too many pairs of accesses)\n";
}

void printReductions(const RegionViews &v, llvm::raw_ostream &out) {
  out << "  carried values\n";
  for (const ReductionView &r : v.reductions) {
    out << "    L" << r.loop << " value " << r.argument << " : " << r.type
        << ": ";
    switch (r.kind) {
    case ReductionView::Reduction:
      out << "reduction " << r.combiner << (r.guarded ? " (guarded)" : "")
          << ", identity " << r.identity << ", " << nameOf(r.policy) << "\n";
      break;
    case ReductionView::Induction:
      out << "induction\n";
      break;
    case ReductionView::Recurrence:
      out << "recurrence, ordered" << why(r.why) << "\n";
      break;
    }
  }
}

void printFootprints(const RegionViews &v, llvm::raw_ostream &out) {
  out << "  footprints\n";
  for (const FootprintView &f : v.footprints.footprints) {
    out << "    " << v.memory.roots[f.root].name
        << (f.isWrite ? " writes" : " reads") << ": " << nameOf(f.precision)
        << why(f.why);
    if (!f.set.empty())
      out << " " << f.set;
    const Integer large = Integer(int64_t(1) << 62);
    if (f.lo && f.hi && *f.lo > -large && *f.hi < large)
      out << ", within [" << *f.lo << ", " << *f.hi << ")";
    else if (!f.first.empty() &&
             (f.precision == Precision::Exact || (f.lo && *f.lo > -large)))
      out << ", first byte " << f.first << ", last byte " << f.last;
    if (f.distinctBytes)
      out << ", " << *f.distinctBytes << " bytes";
    if (f.dense)
      out << ", dense";
    out << "\n";
  }
  static constexpr llvm::StringLiteral kinds[] = {
      "temporal", "contiguous", "overlapping", "strided", "irregular"};
  out << "  reuse\n";
  for (const ReuseView &r : v.footprints.reuse) {
    out << "    A" << r.access << " in L" << r.loop << ": " << kinds[r.kind];
    if (r.kind != ReuseView::Irregular && r.kind != ReuseView::Temporal)
      out << " by " << r.stride;
    out << "\n";
  }
  for (const GroupReuse &g : v.footprints.groups)
    out << "    A" << g.user << " in L" << g.loop << ": bytes of A" << g.source
        << ", " << g.distance << " iterations before\n";
}

} // namespace

void views::print(const RegionViews &v, llvm::raw_ostream &out) {
  out << "views " << v.region << "\n";
  printDomains(v, out);
  printMemory(v, out);
  printDependences(v, out);
  printIncomplete(v, out);
  printReductions(v, out);
  printFootprints(v, out);
  if (v.exhausted)
    out << "  the analysis budget is used up: some answers are unknown\n";
}
