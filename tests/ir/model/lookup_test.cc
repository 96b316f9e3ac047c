#include "sightline/ir/model/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

Module ReadNode(const std::string& statement) {
  Result<Module> module = ParseIr("# IR entry: @f\n\nsubgraph @f() {\n" + statement + "}\n");
  EXPECT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0);
  EXPECT_EQ(module->nodes.size(), 1);
  return *std::move(module);
}

TEST(Lookup, FindsAttributesInAnyGroup) {
  const Module module = ReadNode(
      "  %0(a) = F() {instance name: mul} primitive_attrs: {axis: I64(1)} cnode_attrs: {axis: "
      "I64(2), recompute: Bool(1)}\n");
  EXPECT_EQ(FindAttribute(module, module.nodes[0], "axis"), "I64(1)");
  EXPECT_EQ(FindAttribute(module, module.nodes[0], "recompute"), "Bool(1)");
  EXPECT_EQ(FindAttribute(module, module.nodes[0], "instance name"), "mul");
  EXPECT_EQ(FindAttribute(module, module.nodes[0], "nothing"), std::nullopt);
}

TEST(Lookup, FindsTypesWhereTheyArePrinted) {
  const Module module = ReadNode("  %0(a) = F()\n      : () -> (<Int64, NoShape>)\n");
  const TypeLine* types = FindTypes(module, module.nodes[0]);
  ASSERT_NE(types, nullptr);
  EXPECT_EQ(types->outputs, 1);
  const Module format0 = ReadNode("  %0(a) = F()\n");
  EXPECT_EQ(FindTypes(format0, format0.nodes[0]), nullptr);
}

TEST(Lookup, TellsANodesSourceLinesFromThoseOfOtherNodes) {
  const Module module = ReadNode(
      "  %0(a) = F()\n      : () -> (<Int64, NoShape>)\n"
      "      # In file /h/net.py:10~12, 0~5/def f():/\n"
      "      # In file /h/net.py:11, 4~9/    x @ y/\n"
      "      # Corresponding forward node candidate:\n"
      "      # In file /h/other.py:7, 4~9/    x * y/\n");
  const auto locations = LocationsOf(module, module.nodes[0]);
  ASSERT_EQ(locations.size(), 2U);
  EXPECT_THAT(std::string(module.texts[locations[1]]), ::testing::HasSubstr("net.py:11"));
}

TEST(Lookup, SplitsAFullNameAndKeepsAScope) {
  const auto scope_of = [](const std::string& line) {
    const Module module = ReadNode("  %0(a) = F()\n      : () -> (<null>)\n" + line);
    const Scope scope = FindScope(module, module.nodes[0]);
    return std::string(scope.path) + " | " + std::string(scope.name);
  };
  EXPECT_EQ(scope_of("      # Fullname with scope: (Default/conv1-Conv2d/Conv2D-op0)\n"),
            "Default/conv1-Conv2d | Conv2D-op0");
  EXPECT_EQ(scope_of("      # Fullname with scope: (18)\n"), " | 18");
  EXPECT_EQ(scope_of("      # Scope: (Default/conv1-Conv2d)\n"), "Default/conv1-Conv2d | ");
  EXPECT_EQ(scope_of("      #scope: (Default)\n"), "Default | ");
  EXPECT_EQ(scope_of(""), " | ");
}

TEST(Lookup, CountsTheLinesOfStatementsThatSpanSeveral) {
  const std::string text =
      "# IR entry: @f\n\n\nsubgraph @f() {\n  %0(a) = F(\"x\ny\", Tensor(value=\n[[1]\n [2]])) "
      "cnode_attrs: {k: \"a\nb\"}\n      # Scope: (Default)\n  Return(%0)\n}\n";
  const Result<Module> module = ParseIr(text);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0);
  // Entry, blank lines, subgraph, statement, scope, return, end.
  EXPECT_THAT(LineNumbers(*module), ::testing::ElementsAre(1, 2, 4, 5, 10, 11, 12));
}

}  // namespace
}  // namespace sightline::ir
