#include "sightline/tools/cli/ir/node_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/model/lookup.h"

namespace sightline {
namespace {

class Card {
 public:
  Card(const ir::NodeText& text, std::uint32_t node, const ir::PathMap& paths, const Style& style)
      : text_(text), index_(node), paths_(paths), style_(style) {}

  std::string ToString() {
    card_ = style_.Bold(text_.Name(index_)) + "\n  " + text_.Statement(index_) + "\n";
    AddRow("result", text_.Result(index_));
    const ir::Scope scope = ir::FindScope(text_.module(), node());
    const std::string name = scope.name.empty() ? "" : "/" + Printable(scope.name);
    AddRow("scope", Printable(scope.path) + name);
    for (const std::uint32_t called : text_.flow().Calls(index_))
      AddRow("calls", "@" + text_.Text(text_.module().subgraphs[called].name));
    AddOperands();
    AddUsers();
    AddAttributes();
    bool first = true;
    for (const ir::Location& location : text_.Locations(index_))
      AddRow(std::exchange(first, false) ? "source" : "", PlaceText(location, paths_));
    return card_;
  }

 private:
  const ir::Node& node() const { return text_.module().nodes[index_]; }

  void AddRow(std::string_view title, const std::string& content) {
    if (!content.empty()) card_ += fmt::format("  {:<10}{}\n", title, content);
  }

  void AddOperands() {
    const auto types = text_.OperandTypes(index_);
    const ir::Range operands = node().operands;
    for (std::uint32_t i = 0; i < operands.size; ++i) {
      const std::string type = i < types.size() && !types[i].empty() ? style_.Dim(types[i]) : "";
      AddRow(i == 0 ? "takes" : "", text_.Name(text_.flow().source(operands.begin + i)) +
                                        (type.empty() ? "" : "  " + type));
    }
  }

  void AddUsers() {
    bool first = true;
    for (const std::uint32_t user : text_.flow().NodeUsers(index_)) {
      const std::string callee = text_.Text(text_.module().nodes[user].callee);
      AddRow(std::exchange(first, false) ? "used by" : "", text_.Name(user) + " = " + callee);
    }
  }

  void AddAttributes() {
    const ir::Module& module = text_.module();
    const ir::Range groups = module.node_attributes[node().attributes].groups;
    for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
      const ir::AttributeGroup& group = module.attribute_groups[i];
      const bool is_named = group.name != ir::kNoText;
      card_ += "  " + (is_named ? text_.Text(group.name) : "attributes") + "\n";
      for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k) {
        const ir::Attribute& attribute = module.attributes[k];
        card_ +=
            fmt::format("    {}: {}\n", text_.Text(attribute.key), text_.Text(attribute.value));
      }
    }
  }

  const ir::NodeText& text_;
  const std::uint32_t index_;
  const ir::PathMap& paths_;
  const Style& style_;
  std::string card_;
};

}  // namespace

void AddPathMapOption(CLI::App& command, ir::PathMap& paths) {
  command
      .add_option_function<std::vector<std::string>>(
          "--path-map",
          [&paths](const std::vector<std::string>& rules) {
            for (const std::string& rule : rules) {
              const std::size_t equals = rule.find('=');
              paths.Add(rule.substr(0, equals), rule.substr(equals + 1));
            }
          },
          "Sources that the dump has in OLD are in NEW here; may be given several times")
      ->type_name("OLD=NEW")
      ->allow_extra_args(false)
      ->check([](const std::string& rule) {
        return rule.find('=') == std::string::npos ? "OLD=NEW is expected" : "";
      });
}

std::string PlaceText(const ir::Location& location, const ir::PathMap& paths) {
  std::string_view code = location.code;
  code.remove_prefix(std::min(code.size(), code.find_first_not_of(' ')));
  return fmt::format("{}:{}  {}", Printable(paths.Apply(location.path)), location.first_line,
                     Printable(code));
}

std::string NodeCard(const ir::NodeText& text, std::uint32_t node, const ir::PathMap& paths,
                     const Style& style) {
  return Card(text, node, paths, style).ToString();
}

}  // namespace sightline
