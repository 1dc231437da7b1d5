// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom report: every candidate, from an executable or from a report file that
// the plugin wrote at the link (LOOM_REPORT).

#include "Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace loom::tool;

namespace {
/// One candidate, wherever it was read.
struct Row {
  std::string code, function, file, detail, region;
  std::string app, refusal; // the Spatial app of the region, or why none
  uint32_t line = 0, column = 0, depth = 0, loops = 0;
  bool guarded = false; // there is a graph for disjoint roots
  bool offloaded() const { return code == "offloaded"; }
};

/// The candidates of one link.
struct Link {
  std::string output;
  std::vector<Row> rows;
};
} // namespace

static Link readImage(const SealedImage &sealed) {
  const loom::image::Image &image = sealed.root();
  Link link;
  link.output = text(image.output()).str();
  for (const loom::image::Candidate *candidate : items(image.candidates())) {
    Row row;
    row.code = text(candidate->code()).str();
    row.function = text(candidate->function()).str();
    row.file = text(candidate->file()).str();
    row.detail = text(candidate->detail()).str();
    row.line = candidate->line();
    row.column = candidate->column();
    row.depth = candidate->depth();
    row.loops = candidate->loops();
    int64_t index = candidate->region();
    if (index >= 0 && uint64_t(index) < items(image.regions()).size()) {
      const loom::image::Region *region = image.regions()->Get(unsigned(index));
      row.region = text(region->name()).str();
      row.guarded = region->guard() != nullptr;
      if (text(region->spatial()).empty())
        row.refusal = text(region->spatial_refusal()).str();
      else
        row.app = text(region->spatial_object()).str();
    }
    link.rows.push_back(std::move(row));
  }
  return link;
}

static std::string stringOf(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

static uint32_t numberOf(const json::Object &object, StringRef key) {
  int64_t number = object.getInteger(key).value_or(0);
  return number < 0 || number > UINT32_MAX ? 0 : uint32_t(number);
}

/// A line of a report file: one object a link.
static Expected<Link> readLine(StringRef line) {
  Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Array *candidates =
      object ? object->getArray("candidates") : nullptr;
  if (!candidates)
    return createStringError("not a report of Loom");
  Link link;
  link.output = stringOf(*object, "output");
  for (const json::Value &item : *candidates) {
    const json::Object *candidate = item.getAsObject();
    if (!candidate)
      return createStringError("not a report of Loom");
    Row row;
    row.code = stringOf(*candidate, "code");
    row.function = stringOf(*candidate, "function");
    row.file = stringOf(*candidate, "file");
    row.detail = stringOf(*candidate, "detail");
    row.line = numberOf(*candidate, "line");
    row.column = numberOf(*candidate, "column");
    row.depth = numberOf(*candidate, "depth");
    row.loops = numberOf(*candidate, "loops");
    link.rows.push_back(std::move(row));
  }
  return link;
}

static std::string placeOf(const Row &row) {
  if (row.file.empty())
    return "-";
  return printable(row.file) + (row.line ? ":" + std::to_string(row.line) : "");
}

/// The function as its source calls it. The demangler recurses, so that a name
/// of outrageous length stays as it is.
static std::string functionOf(const Row &row) {
  constexpr size_t longestName = 1000;
  return printable(row.function.size() > longestName
                       ? row.function
                       : llvm::demangle(row.function));
}

/// What is to be said about a row beside its code.
static std::string detailOf(const Row &row) {
  if (row.region.empty()) {
    std::string meaning = meaningOf(row.code).str();
    if (meaning.empty() || row.detail.empty())
      return meaning + printable(row.detail);
    return meaning + ": " + printable(row.detail);
  }
  std::string app = row.app.empty() ? "no Spatial app (" + row.refusal + ")"
                                    : "Spatial app " + row.app;
  std::string guard = row.guarded ? "guarded against aliases, " : "";
  std::string more = row.detail.empty() ? "" : ", " + row.detail;
  return printable("region " + row.region + ", " + guard + app + more);
}

/// Prints rows of cells, the columns as wide as they need to be.
static void printTable(ArrayRef<std::vector<std::string>> table) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &cells : table) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (auto [width, cell] : zip(widths, cells))
      width = std::max(width, cell.size());
  }
  for (const std::vector<std::string> &cells : table) {
    std::string line;
    for (auto [index, cell] : enumerate(cells)) {
      line += cell;
      line.append(widths[index] - cell.size() + 2, ' ');
    }
    outs() << "  " << StringRef(line).rtrim() << "\n";
  }
}

static std::map<std::string, unsigned> countRefusals(const Link &link) {
  std::map<std::string, unsigned> counts;
  for (const Row &row : link.rows)
    if (!row.offloaded())
      ++counts[row.code];
  return counts;
}

static void printLink(StringRef title, const Link &link) {
  size_t taken =
      count_if(link.rows, [](const Row &row) { return row.offloaded(); });
  outs() << formatv("{0}: {1} of {2} candidate loop nests offloaded\n", title,
                    taken, link.rows.size());
  std::string refused;
  for (const auto &[code, count] : countRefusals(link))
    refused += (refused.empty() ? "" : ", ") + printable(code) + " " +
               std::to_string(count);
  if (!refused.empty())
    outs() << "stayed on the host: " << refused << "\n";
  if (link.rows.empty())
    return;
  std::vector<std::vector<std::string>> table;
  table.push_back({"RESULT", "FUNCTION", "WHERE", "LOOPS", "DEPTH", "DETAIL"});
  for (const Row &row : link.rows)
    table.push_back({printable(row.code), functionOf(row), placeOf(row),
                     std::to_string(row.loops), std::to_string(row.depth),
                     detailOf(row)});
  outs() << "\n";
  printTable(table);
}

static json::Object jsonOf(const Row &row) {
  json::Object object{{"code", json::fixUTF8(row.code)},
                      {"function", json::fixUTF8(row.function)},
                      {"file", json::fixUTF8(row.file)},
                      {"line", row.line},
                      {"column", row.column},
                      {"loops", row.loops},
                      {"depth", row.depth},
                      {"detail", json::fixUTF8(row.detail)}};
  if (!row.region.empty()) {
    object["region"] = json::fixUTF8(row.region);
    object["guarded"] = row.guarded;
    object[row.app.empty() ? "spatial_refusal" : "spatial"] =
        json::fixUTF8(row.app.empty() ? row.refusal : row.app);
  }
  return object;
}

static void printJson(StringRef path, ArrayRef<Link> links) {
  json::Array candidates;
  std::map<std::string, unsigned> refused;
  unsigned taken = 0;
  for (const Link &link : links) {
    for (const Row &row : link.rows) {
      taken += row.offloaded();
      candidates.push_back(jsonOf(row));
    }
    for (const auto &[code, count] : countRefusals(link))
      refused[code] += count;
  }
  json::Object codes;
  for (const auto &[code, count] : refused)
    codes[json::fixUTF8(code)] = count;
  size_t total = candidates.size();
  json::Object root{{"file", json::fixUTF8(path)},
                    {"offloaded", taken},
                    {"seen", total},
                    {"refused", std::move(codes)},
                    {"candidates", std::move(candidates)}};
  outs() << formatv("{0:2}", json::Value(std::move(root))) << "\n";
}

/// Every link in one order that doesn't depend on the link: by place.
static void sortRows(std::vector<Link> &links) {
  for (Link &link : links)
    llvm::stable_sort(link.rows, [](const Row &a, const Row &b) {
      return std::tie(a.file, a.line, a.column, a.function) <
             std::tie(b.file, b.line, b.column, b.function);
    });
}

/// A report file: text whose lines are JSON objects.
static std::optional<Expected<std::vector<Link>>> readReport(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer || !(*buffer)->getBuffer().starts_with("{"))
    return std::nullopt;
  std::vector<Link> links;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    Expected<Link> link = readLine(line);
    if (!link)
      return Expected<std::vector<Link>>(link.takeError());
    links.push_back(std::move(*link));
  }
  return Expected<std::vector<Link>>(std::move(links));
}

/// What one line of a report file is about. The linker doesn't tell its plugins
/// the name of the output, only this one of its own.
static std::string titleOf(StringRef path, const Link &link, size_t index) {
  if (!link.output.empty() && link.output != "ld-temp.o")
    return printable(link.output);
  return (path + ", link " + Twine(index + 1)).str();
}

int loom::tool::report(Words words) {
  auto arguments = parseArguments("report", "EXE|REPORT [--json]", words, 1, 1);
  if (!arguments)
    return Failed;
  StringRef path = arguments->positional.front();
  std::vector<Link> links;
  bool fromExecutable = false;
  if (auto parsed = readReport(path)) {
    if (!*parsed)
      return fail("report",
                  path + ": " + printable(toString(parsed->takeError())));
    links = std::move(**parsed);
  } else {
    int code = Done;
    std::optional<ImageFile> file = openImages("report", path, code);
    if (!file)
      return code;
    fromExecutable = true;
    for (const SealedImage &image : file->images())
      links.push_back(readImage(image));
  }
  sortRows(links);
  if (arguments->json) {
    printJson(path, links);
    return Done;
  }
  for (auto [index, link] : enumerate(links)) {
    if (index)
      outs() << "\n";
    printLink(fromExecutable ? path.str() : titleOf(path, link, index), link);
  }
  return Done;
}
