// What two graphs differ in as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/model/module.h"
#include "sightline/tools/cli/ir/ir_node.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// "2 added, 1 changed"; "equal" for nothing.
std::string ToText(const ir::DiffCounts& counts);
nlohmann::ordered_json ToJson(const ir::DiffCounts& counts);

class DiffPrinter {
 public:
  // Of the diff of these modules. All must outlive this.
  DiffPrinter(const ir::Module& a, const ir::Module& b, const ir::Diff& diff, const PathMap& paths)
      : diff_(diff), printer_a_(a, paths), printer_b_(b, paths) {}

  // A line for each change, with lines of what changed below. Unless `all`, what changed in the
  // same way at many elements is one line in front, with their number and the first of them, and
  // what is in an added or removed subgraph is counted there.
  std::string ToText(const Style& style, bool all) const;
  // "equal", "counts", "changes".
  nlohmann::ordered_json ToJson() const;

 private:
  // What changed in the same way at several elements: "attribute x: nothing -> 1".
  struct Repeat {
    std::uint32_t times = 0;
    const ir::Change* first = nullptr;
  };
  using Repeats = std::unordered_map<std::string, Repeat>;  // By what Text says.

  // Those that are worth a line.
  Repeats FindRepeats() const;
  std::string ToText(const Style& style, const Repeats& repeats) const;
  std::string ToText(const Style& style, bool all, const ir::Change& change,
                     const Repeats& repeats) const;

  const ir::Element& ElementOf(const ir::Change& change) const;
  bool IsFolded(const ir::Change& change) const;
  std::string Members(const ir::Change& change) const;
  std::string BlockOf(const ir::Change& change) const;
  // "@f %3(CNode_2)", "%para1_x of @f", "@f", an actor's name
  std::string Name(const ir::ElementRef& ref) const;
  // The same with the statement or type.
  std::string Line(const ir::Change& change) const;
  std::string Text(const ir::PropertyChange& change) const;
  std::string Text(const std::optional<ir::ChangedValue>& value) const;
  nlohmann::ordered_json ToJson(const ir::Change& change) const;

  const ir::Diff& diff_;
  NodePrinter printer_a_;
  NodePrinter printer_b_;
};

}  // namespace sightline
