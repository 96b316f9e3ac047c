#include "sightline/ir/query/node_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MatchesPattern, TakesStarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesPattern("MatMul", "MatMul"));
  EXPECT_FALSE(MatchesPattern("MatMul", "BatchMatMul"));
  EXPECT_TRUE(MatchesPattern("*MatMul", "BatchMatMul"));
  EXPECT_TRUE(MatchesPattern("All*", "AllReduce"));
  EXPECT_TRUE(MatchesPattern("*a*b*", "xxaxxabx"));
  EXPECT_FALSE(MatchesPattern("*a*b", "xxaxxabx"));
  EXPECT_TRUE(MatchesPattern("CNode_?2", "CNode_12"));
  EXPECT_TRUE(MatchesPattern("", ""));
  EXPECT_TRUE(MatchesPattern("**", ""));
  EXPECT_FALSE(MatchesPattern("", "x"));
  EXPECT_FALSE(MatchesPattern("?", ""));
}

class NodeFilterTest : public ::testing::Test {
 protected:
  // The names of the nodes that match.
  std::vector<std::string> Find(const NodeFilter& filter) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < module_.nodes.size(); ++i) {
      if (Matches(module_, flow_, i, filter))
        names.emplace_back(module_.texts[module_.nodes[i].name]);
    }
    return names;
  }

  Module module_ = *ParseIr(R"(# IR entry: @f

subgraph @g(%para1_w) {
  %0(a) = PrimFunc_MatMul(%para1_w, %para1_w) cnode_attrs: {recompute: Bool(1), group: "g0"}
      : (<null>, <null>) -> (<null>)
      # Fullname with scope: (Default/net/conv1-Conv2d/MatMul-op0)
      # In file /home/user/models/net.py:10~12, 0~5/def f():/
      # In file /home/user/models/layer.py:7, 4~9/    x @ y/
  Return(%0)
      : (<null>)
}
subgraph @f(%para2_x) {
  %0(b) = MatMul(%para2_x, @g)
      : (<null>, <null>) -> (<null>)
      # Scope: (Default/net/conv2)
  %1(c) = call @g(%0)
      : (<null>) -> (<null>)
  Return(%1)
      : (<null>)
}
)");
  Dataflow flow_{module_};
};

TEST_F(NodeFilterTest, WithoutConditionsTakesAll) { EXPECT_EQ(Find({}).size(), 5); }

TEST_F(NodeFilterTest, FindsByOperatorNameAndSubgraph) {
  EXPECT_THAT(Find({.callee = "MatMul"}), ElementsAre("a", "b"));
  EXPECT_THAT(Find({.callee = "PrimFunc_MatMul"}), ElementsAre("a"));
  EXPECT_THAT(Find({.callee = "call"}), ElementsAre("c"));
  EXPECT_THAT(Find({.callee = "MatMul", .subgraph = "f"}), ElementsAre("b"));
  EXPECT_THAT(Find({.name = "c"}), ElementsAre("c"));
}

TEST_F(NodeFilterTest, FindsByAttribute) {
  EXPECT_THAT(Find({.attribute = "recompute"}), ElementsAre("a"));
  EXPECT_THAT(Find({.attribute = "recompute", .attribute_value = "Bool(1)"}), ElementsAre("a"));
  EXPECT_THAT(Find({.attribute = "recompute", .attribute_value = "Bool(0)"}), IsEmpty());
  EXPECT_THAT(Find({.attribute = "g*", .attribute_value = "*g0*"}), ElementsAre("a"));
}

TEST_F(NodeFilterTest, FindsByScopeAndThoseBelow) {
  EXPECT_THAT(Find({.scope = "Default/net"}), ElementsAre("a", "b"));
  EXPECT_THAT(Find({.scope = "Default/net/conv1-*"}), ElementsAre("a"));
  EXPECT_THAT(Find({.scope = "Default/ne"}), IsEmpty());
}

TEST_F(NodeFilterTest, FindsByParameter) {
  EXPECT_THAT(Find({.parameter = "w"}), ElementsAre("a"));
  EXPECT_THAT(Find({.parameter = "x"}), ElementsAre("b"));
}

TEST_F(NodeFilterTest, FindsBySourceLine) {
  EXPECT_THAT(Find({.file = "net.py"}), ElementsAre("a"));
  EXPECT_THAT(Find({.file = "models/net.py", .line = 11}), ElementsAre("a"));
  EXPECT_THAT(Find({.file = "/home/user/models/layer.py", .line = 7}), ElementsAre("a"));
  // Both are in the stack, but not in the same line of it.
  EXPECT_THAT(Find({.file = "layer.py", .line = 11}), IsEmpty());
  EXPECT_THAT(Find({.file = "et.py"}), IsEmpty());
  EXPECT_THAT(Find({.line = 12}), ElementsAre("a"));
}

}  // namespace
}  // namespace sightline::ir
