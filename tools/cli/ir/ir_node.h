// A dump's nodes as text and as JSON, for the verbs of `sightline ir` that show them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// --path-map OLD=NEW: where source files are here that a dump names as they were where it was
// written. Of several that fit the longest is taken.
class PathMap {
 public:
  void AddOption(CLI::App& command);
  std::string Apply(std::string_view path) const;
  // To the paths in a report: "In file /a/net.py:3", "File \"/a/net.py\", line 3".
  std::string ApplyToReport(std::string_view text) const;

 private:
  std::vector<std::string> options_;
};

// A dump with what is needed to show its nodes. The module must outlive it.
class NodePrinter {
 public:
  NodePrinter(const ir::Module& module, const PathMap& paths)
      : module_(module), flow_(module), paths_(paths) {}

  const ir::Dataflow& flow() const { return flow_; }

  // "%3(CNode_12) = Add(%1, %para1_x)", long constants cut.
  std::string Statement(std::uint32_t index) const;
  // "Float32 (2, 4)"; empty for an unknown type.
  std::string Result(std::uint32_t node) const;
  // "Float32 (2, 3), Float32 (4, 5)"; empty where types are not printed.
  std::string OperandTypes(std::uint32_t node) const;
  // "@g %3(CNode_12)", "%para1_x of @g", "@g", or a constant's text.
  std::string Name(const ir::Source& source) const;
  std::string Name(std::uint32_t index) const;
  // "/home/user/net.py:12", with the source text after it; the path as --path-map says.
  std::string Place(const ir::Location& location) const;
  // The node's own source line, or else its subgraph's. Nothing where there is none.
  std::optional<ir::Location> Location(std::uint32_t node) const;

  // A page: attributes by group, types, producers, users, the stack of source lines.
  std::string Card(std::uint32_t index, const Style& style) const;
  nlohmann::ordered_json ToJson(std::uint32_t index) const;

 private:
  std::string Text(ir::TextId id) const { return Printable(module_.texts[id]); }
  std::vector<ir::Location> Locations(std::uint32_t node) const;
  nlohmann::ordered_json ToJson(const ir::Location& location) const;
  std::vector<std::string> Types(std::uint32_t node, bool results) const;
  std::string Operands(const ir::Node& node) const;

  const ir::Module& module_;
  ir::Dataflow flow_;
  const PathMap& paths_;
};

// One line, whatever bytes the texts have.
std::string ToLine(const nlohmann::ordered_json& json);

}  // namespace sightline
