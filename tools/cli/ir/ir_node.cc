#include "sightline/tools/cli/ir/ir_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/model/type.h"

namespace sightline {
namespace {

constexpr std::size_t kLongestText = 60;

// The first characters of a text, on one line.
std::string Shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  // Not within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

std::string TypeText(std::string_view text) {
  const auto type = ir::ParseType(text);
  if (!type || type->name.empty()) return "?";
  const std::string_view element = ir::ElementType(*type);
  if (element.empty()) return Printable(type->name);
  if (!type->shape.starts_with('(')) return Printable(element);
  return Printable(element) + " " + Printable(type->shape);
}

}  // namespace

void PathMap::AddOption(CLI::App& command) {
  command
      .add_option("--path-map", options_,
                  "Sources that the dump has in OLD are in NEW here; may be given several times")
      ->type_name("OLD=NEW")
      ->allow_extra_args(false)
      ->check([](const std::string& option) {
        return option.find('=') == std::string::npos ? "OLD=NEW is expected" : "";
      });
}

std::string PathMap::Apply(std::string_view path) const {
  std::string_view longest;
  std::string_view replacement;
  for (const std::string_view option : options_) {
    const std::size_t equals = option.find('=');
    const std::string_view old = option.substr(0, equals);
    const bool whole = path.size() == old.size() || old.ends_with('/') ||
                       (path.size() > old.size() && path[old.size()] == '/');
    if (!path.starts_with(old) || !whole || old.size() <= longest.size()) continue;
    longest = old;
    replacement = option.substr(equals + 1);
  }
  return std::string(replacement) + std::string(path.substr(longest.size()));
}

std::string PathMap::ApplyToReport(std::string_view text) const {
  std::string mapped;
  while (!text.empty()) {
    std::size_t path = text.size();
    for (const std::string_view before : {"In file ", "File \""}) {
      const std::size_t at = text.find(before);
      if (at != std::string_view::npos) path = std::min(path, at + before.size());
    }
    const std::size_t end = std::min(text.find_first_of(":\"\n", path), text.size());
    mapped.append(text.substr(0, path)).append(Apply(text.substr(path, end - path)));
    text.remove_prefix(end);
  }
  return mapped;
}

std::string ToLine(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string NodePrinter::Operands(const ir::Node& node) const {
  std::string text;
  for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i) {
    if (i > node.operands.begin) text += ", ";
    const ir::Operand& operand = module_.operands[i];
    switch (operand.kind) {
      case ir::OperandKind::kNode:
        text += fmt::format("%{}", operand.index);
        break;
      case ir::OperandKind::kParameter:
        text += "%" + Text(ir::TextId{operand.index});
        break;
      case ir::OperandKind::kForeign:
        text += "$(@" + Text(ir::TextId{operand.index}) + ")";
        break;
      case ir::OperandKind::kGraph:
        text += "@" + Text(ir::TextId{operand.index});
        break;
      case ir::OperandKind::kValue:
        text += Shortened(Text(ir::TextId{operand.index}));
        break;
    }
  }
  return text;
}

std::string NodePrinter::Statement(std::uint32_t index) const {
  const ir::Node& node = module_.nodes[index];
  std::string callee = Shortened(Text(node.callee));
  switch (node.kind) {
    case ir::CalleeKind::kCall:
      callee = "call @" + callee;
      break;
    case ir::CalleeKind::kClosure:
      callee = "%" + callee;
      break;
    case ir::CalleeKind::kForeign:
      callee = "$(@" + callee + ")";
      break;
    case ir::CalleeKind::kReturn:
      return fmt::format("Return({})", Operands(node));
    case ir::CalleeKind::kPrimitive:
    case ir::CalleeKind::kMeta:
    case ir::CalleeKind::kParameter:
      break;
  }
  return fmt::format("%{}({}) = {}({})", node.number, Text(node.name), callee, Operands(node));
}

std::vector<std::string> NodePrinter::Types(std::uint32_t node, bool results) const {
  std::vector<std::string> texts;
  const ir::TypeLine* types = ir::FindTypes(module_, module_.nodes[node]);
  if (types == nullptr) return texts;
  const std::uint32_t begin = types->begin + (results ? types->inputs : 0);
  for (std::uint32_t i = 0; i < (results ? types->outputs : types->inputs); ++i)
    texts.push_back(TypeText(module_.texts[module_.types[begin + i]]));
  return texts;
}

std::string NodePrinter::Result(std::uint32_t node) const {
  const auto results = Types(node, true);
  return results.empty() || results.front() == "?" ? "" : results.front();
}

std::string NodePrinter::OperandTypes(std::uint32_t node) const {
  return fmt::format("{}", fmt::join(Types(node, false), ", "));
}

std::string NodePrinter::Name(std::uint32_t index) const {
  const ir::Node& node = module_.nodes[index];
  const std::string subgraph = Text(module_.subgraphs[flow_.SubgraphOfNode(index)].name);
  if (node.kind == ir::CalleeKind::kReturn) return fmt::format("@{} Return", subgraph);
  return fmt::format("@{} %{}({})", subgraph, node.number, Text(node.name));
}

std::string NodePrinter::Name(const ir::Source& source) const {
  switch (source.kind) {
    case ir::SourceKind::kNode:
      return Name(source.index);
    case ir::SourceKind::kParameter: {
      const ir::Parameter& parameter = module_.parameters[source.index];
      const std::uint32_t owner = flow_.SubgraphOfParameter(source.index);
      return fmt::format("%para{}_{} of @{}", parameter.number, Text(parameter.name),
                         owner == ir::kNoIndex ? "?" : Text(module_.subgraphs[owner].name));
    }
    case ir::SourceKind::kSubgraph:
      return "@" + Text(module_.subgraphs[source.index].name);
    case ir::SourceKind::kConstant:
    case ir::SourceKind::kPrimitive:
      return Shortened(Text(ir::TextId{source.index}));
    case ir::SourceKind::kUnresolved:
      return fmt::format("? ({})", ir::Describe(static_cast<ir::Unresolved>(source.index)));
  }
  return {};
}

std::vector<ir::Location> NodePrinter::Locations(std::uint32_t node) const {
  std::vector<ir::Location> locations;
  for (const ir::TextId text : ir::LocationsOf(module_, module_.nodes[node])) {
    if (const auto location = ir::ParseLocation(module_.texts[text]))
      locations.push_back(*location);
  }
  return locations;
}

std::optional<ir::Location> NodePrinter::Location(std::uint32_t node) const {
  const auto locations = Locations(node);
  if (!locations.empty()) return locations.back();
  const std::uint32_t line = module_.subgraphs[flow_.SubgraphOfNode(node)].line;
  if (line == 0 || module_.lines[line - 1].kind != ir::LineKind::kSubgraphLocation)
    return std::nullopt;
  return ir::ParseLocation(module_.texts[ir::TextId{module_.lines[line - 1].index}]);
}

std::string NodePrinter::Place(const ir::Location& location) const {
  std::string_view code = location.code;
  code.remove_prefix(std::min(code.size(), code.find_first_not_of(' ')));
  return fmt::format("{}:{}  {}", Printable(paths_.Apply(location.path)), location.first_line,
                     Printable(code));
}

std::string NodePrinter::Card(std::uint32_t index, const Style& style) const {
  const ir::Node& node = module_.nodes[index];
  const ir::Scope scope = ir::FindScope(module_, node);
  std::string card = style.Bold(Name(index)) + "\n  " + Statement(index) + "\n";
  const auto row = [&](std::string_view title, const std::string& text) {
    if (!text.empty()) card += fmt::format("  {:<10}{}\n", title, text);
  };
  row("result", Result(index));
  row("scope", Printable(scope.path) + (scope.name.empty() ? "" : "/" + Printable(scope.name)));
  for (const std::uint32_t called : flow_.Calls(index))
    row("calls", "@" + Text(module_.subgraphs[called].name));
  const auto types = Types(index, false);
  for (std::uint32_t i = 0; i < node.operands.size; ++i) {
    const std::string type = i < types.size() ? types[i] : "";
    row(i == 0 ? "takes" : "",
        Name(flow_.source(node.operands.begin + i)) + (type.empty() ? "" : "  " + style.Dim(type)));
  }
  bool first = true;
  for (const std::uint32_t user : flow_.NodeUsers(index)) {
    row(first ? "used by" : "", Name(user) + " = " + Text(module_.nodes[user].callee));
    first = false;
  }
  const ir::Range groups = module_.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const ir::AttributeGroup& group = module_.attribute_groups[i];
    card += "  " + (group.name == ir::kNoText ? "attributes" : Text(group.name)) + "\n";
    for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k) {
      const ir::Attribute& attribute = module_.attributes[k];
      card += fmt::format("    {}: {}\n", Text(attribute.key), Text(attribute.value));
    }
  }
  first = true;
  for (const ir::Location& location : Locations(index)) {
    row(first ? "source" : "", Place(location));
    first = false;
  }
  return card;
}

nlohmann::ordered_json NodePrinter::ToJson(const ir::Location& location) const {
  nlohmann::ordered_json json = {{"path", paths_.Apply(location.path)},
                                 {"line", location.first_line},
                                 {"last_line", location.last_line},
                                 {"code", location.code}};
  if (location.columns) {
    json["column"] = location.columns->begin;
    json["end_column"] = location.columns->end;
  }
  return json;
}

nlohmann::ordered_json NodePrinter::ToJson(std::uint32_t index) const {
  using Json = nlohmann::ordered_json;
  const ir::Node& node = module_.nodes[index];
  const auto text = [&](ir::TextId id) { return module_.texts[id]; };
  const ir::Scope scope = ir::FindScope(module_, node);
  Json json = {{"subgraph", text(module_.subgraphs[flow_.SubgraphOfNode(index)].name)},
               {"number", node.number},
               {"name", text(node.name)},
               {"kind", ir::CalleeName(module_, node)},
               {"callee", text(node.callee)},
               {"scope", scope.path},
               {"full_name", scope.name},
               {"statement", Statement(index)},
               {"calls", Json::array()},
               {"operands", Json::array()},
               {"results", Types(index, true)},
               {"users", Json::array()},
               {"attributes", Json::object()},
               {"source", Json::array()}};
  if (node.kind == ir::CalleeKind::kReturn) json["number"] = nullptr;
  for (const std::uint32_t called : flow_.Calls(index))
    json["calls"].push_back(text(module_.subgraphs[called].name));
  const auto types = Types(index, false);
  for (std::uint32_t i = 0; i < node.operands.size; ++i) {
    json["operands"].push_back({{"value", Name(flow_.source(node.operands.begin + i))},
                                {"type", i < types.size() ? Json(types[i]) : Json()}});
  }
  for (const std::uint32_t user : flow_.NodeUsers(index)) json["users"].push_back(Name(user));
  const ir::Range groups = module_.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const ir::AttributeGroup& group = module_.attribute_groups[i];
    Json& attributes = json["attributes"][std::string(text(group.name))];
    for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k)
      attributes[std::string(text(module_.attributes[k].key))] = text(module_.attributes[k].value);
  }
  for (const ir::Location& location : Locations(index)) json["source"].push_back(ToJson(location));
  return json;
}

}  // namespace sightline
