// What a diff reports, as texts that a test can list.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/applied_diff.h"

namespace sightline::testing {

// "ReLU", "@branch", "%x", "#_FusionActor"
inline std::string ElementName(const ir::Diff& diff, const ir::ElementTable& table,
                               std::uint32_t element) {
  for (const ir::Property& property : table.PropertiesOf(element)) {
    const ir::ElementKind kind = table.elements[element].kind;
    const bool node = kind == ir::ElementKind::kNode;
    if (property.kind != (node ? ir::PropertyKind::kCallee : ir::PropertyKind::kName)) continue;
    if (property.value.kind == ir::Value::Kind::kElement)
      return "call " + ElementName(diff, table, property.value.index);
    const std::string text(diff.texts[ir::TextId{property.value.index}]);
    const bool subgraph = kind == ir::ElementKind::kSubgraph;
    return (subgraph ? "@" : kind == ir::ElementKind::kParameter ? "%" : "") + text;
  }
  return "?";
}

inline std::string ToText(const ir::Diff& diff, const std::optional<ir::ChangedValue>& value) {
  if (!value) return "nothing";
  if (value->kind == ir::Value::Kind::kText) return std::string(diff.texts[value->text]);
  return ElementName(diff, value->element.added ? diff.b : diff.a, value->element.element);
}

// "added ReLU", "removed ReLU", "changed Add: input x -> ReLU", "moved Add", "reordered Add";
// ambiguous ones end with "?".
inline std::vector<std::string> Changes(const ir::Diff& diff) {
  std::vector<std::string> texts;
  for (const ir::Change& change : diff.changes) {
    const bool added = change.kind == ir::ChangeKind::kAdded;
    const std::string name = ElementName(diff, added ? diff.b : diff.a, change.element);
    const std::string end = change.ambiguous ? " ?" : "";
    if (added) texts.push_back("added " + name + end);
    if (change.kind == ir::ChangeKind::kRemoved) texts.push_back("removed " + name + end);
    if (change.kind != ir::ChangeKind::kChanged) continue;
    for (const ir::PropertyChange& property : change.properties) {
      texts.push_back("changed " + name + ": " + std::string(Describe(property.kind)) + " " +
                      ToText(diff, property.before) + " -> " + ToText(diff, property.after) + end);
    }
    if (change.place)
      texts.push_back((change.place->other_subgraph ? "moved " : "reordered ") + name + end);
  }
  return texts;
}

inline ir::Diff Compared(const std::string& a, const std::string& b) {
  const auto module_a = ir::ParseIr(a);
  const auto module_b = ir::ParseIr(b);
  EXPECT_TRUE(module_a);
  EXPECT_TRUE(module_b);
  EXPECT_EQ(module_a->problem_count, 0) << module_a->problems.front().message << "\n" << a;
  EXPECT_EQ(module_b->problem_count, 0) << module_b->problems.front().message << "\n" << b;
  auto diff = ir::Compare(*module_a, *module_b);
  EXPECT_TRUE(diff);
  EXPECT_TRUE(ChangesGiveB(*diff));
  return *std::move(diff);
}

}  // namespace sightline::testing
