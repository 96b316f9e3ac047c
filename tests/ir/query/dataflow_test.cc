#include "sightline/ir/query/dataflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A dump of subgraphs without types; the entry is @f.
class DataflowTest : public ::testing::Test {
 protected:
  const Dataflow& Resolve(const std::string& subgraphs, const std::string& parameters = "") {
    Result<Module> module =
        ParseIr("# IR entry: @f\n\n# Params:\n" + parameters + "\n" + subgraphs);
    EXPECT_TRUE(module);
    module_ = *std::move(module);
    flow_.emplace(module_);
    return *flow_;
  }

  // The operands of the node of this name: "node a", "parameter f x", "subgraph g",
  // "constant I64(1)"; ambiguous ones end with "?".
  std::vector<std::string> Operands(std::string_view name) {
    std::vector<std::string> operands;
    const Range range = module_.nodes.at(Find(name)).operands;
    for (std::uint32_t i = range.begin; i < range.end(); ++i)
      operands.push_back(ToString(flow_->source(i)));
    return operands;
  }
  std::string Callee(std::string_view name) { return ToString(flow_->callee(Find(name))); }
  std::vector<std::string> Calls(std::string_view name) {
    std::vector<std::string> called;
    for (const std::uint32_t subgraph : flow_->Calls(Find(name)))
      called.push_back(SubgraphName(subgraph));
    return called;
  }
  std::vector<std::string> Names(std::span<const std::uint32_t> nodes) {
    std::vector<std::string> names;
    for (const std::uint32_t node : nodes)
      names.emplace_back(module_.texts[module_.nodes[node].name]);
    return names;
  }
  std::uint32_t Find(std::string_view name) {
    for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
      if (module_.texts[module_.nodes[i].name] == name) return i;
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  std::string SubgraphName(std::uint32_t subgraph) {
    return std::string(module_.texts[module_.subgraphs[subgraph].name]);
  }
  std::string ToString(const Source& source) {
    const auto text = [&](TextId id) { return std::string(module_.texts[id]); };
    const std::string end = source.ambiguous ? "?" : "";
    switch (source.kind) {
      case SourceKind::kNode:
        return SubgraphName(flow_->SubgraphOfNode(source.index)) + " " +
               text(module_.nodes[source.index].name) + end;
      case SourceKind::kParameter:
        return SubgraphName(flow_->SubgraphOfParameter(source.index)) + " para" +
               std::to_string(module_.parameters[source.index].number) + "_" +
               text(module_.parameters[source.index].name) + end;
      case SourceKind::kSubgraph:
        return "@" + SubgraphName(source.index) + end;
      case SourceKind::kConstant:
      case SourceKind::kPrimitive:
        return text(TextId{source.index});
      case SourceKind::kUnresolved:
        return std::string(Describe(static_cast<Unresolved>(source.index)));
    }
    return {};
  }

  Module module_;
  std::optional<Dataflow> flow_;
};

TEST_F(DataflowTest, LinksOperandsToNodesParametersSubgraphsAndConstants) {
  Resolve(R"(subgraph @g(%para2_y) {
  %0(a) = Add(%para2_y, I64(1))
  Return(%0)
}
subgraph @f() {
  %0(b) = call @g(%para1_x)
  %1(c) = Mul(%0, @g, $(@g:a), $(@g:para2_y), "text")
  Return(%1)
}
)",
          "%para1_x: <null>\n");
  EXPECT_EQ(flow_->unresolved(), 0);
  EXPECT_EQ(flow_->ambiguous(), 0);
  EXPECT_EQ(SubgraphName(flow_->entry()), "f");
  EXPECT_THAT(Operands("a"), ElementsAre("g para2_y", "I64(1)"));
  EXPECT_THAT(Operands("b"), ElementsAre("f para1_x"));
  EXPECT_THAT(Operands("c"), ElementsAre("f b", "@g", "g a", "g para2_y", "\"text\""));
  EXPECT_EQ(Callee("b"), "@g");
  EXPECT_EQ(Callee("c"), "Mul");
  EXPECT_EQ(ParametersOf(module_, *flow_, flow_->entry()).size, 1);
}

TEST_F(DataflowTest, KnowsTheUsersOfNodesParametersAndSubgraphs) {
  Resolve(R"(subgraph @g(%para2_y) {
  %0(a) = Mul(%para1_x, %para1_x)
  Return(%0)
}
subgraph @f() {
  %0(b) = Partial(@g, %para1_x)
  %1(c) = %0[@Partial(@g)]()
  %2(d) = Add(%1, %1)
  %3(e) = Add(%1, %2)
  Return(%3)
}
)",
          "%para1_x: <null>\n");
  EXPECT_THAT(Names(flow_->NodeUsers(Find("b"))), ElementsAre("c"));
  EXPECT_THAT(Names(flow_->NodeUsers(Find("c"))), ElementsAre("d", "e"));
  EXPECT_THAT(Names(flow_->NodeUsers(Find("e"))), ElementsAre(""));  // The Return.
  EXPECT_THAT(Names(flow_->ParameterUsers(0)), ElementsAre("a", "b"));
  EXPECT_THAT(Names(flow_->SubgraphUsers(0)), ElementsAre("b", "c"));
  EXPECT_THAT(flow_->SubgraphUsers(1), IsEmpty());
}

TEST_F(DataflowTest, KnowsWhatClosuresCall) {
  Resolve(R"(subgraph @g() {
  %0(a) = H()
  Return(%0)
}
subgraph @h(%para1_y) {
  Return(%para1_y)
}
subgraph @f(%para2_fn, %para3_x) {
  %0(direct) = call @g()
  %1(union) = %0[@FuncUnion(@g, Partial(@h), @g)]()
  %2(parameter) = fn[@@h](%1)
  %3(foreign) = $(@g:a)[@Partial(@g)]()
  Return(%3)
}
)");
  EXPECT_THAT(Calls("direct"), ElementsAre("g"));
  EXPECT_THAT(Calls("union"), ElementsAre("g", "h"));
  EXPECT_EQ(Callee("union"), "f direct");
  EXPECT_THAT(Calls("parameter"), ElementsAre("h"));
  EXPECT_EQ(Callee("parameter"), "f para2_fn");
  EXPECT_THAT(Calls("foreign"), ElementsAre("g"));
  EXPECT_EQ(Callee("foreign"), "g a");
  EXPECT_THAT(Calls("a"), IsEmpty());
}

TEST_F(DataflowTest, FollowsPartialAndSwitchWhereAClosureIsNotPrinted) {
  Resolve(R"(subgraph @g() {
  Return(None)
}
subgraph @h() {
  Return(None)
}
subgraph @f(%para1_x) {
  %0(p) = Partial(@g, %para1_x)
  %1(s) = Switch(%para1_x, %0, @h)
  %2(call) = %1()
  %3(r) = resolve(NameSpace[A], g)
  %4(unknown) = %3(@h)
  %5(given) = %para1_x()
  Return(%5)
}
)");
  EXPECT_THAT(Calls("call"), ElementsAre("h", "g"));
  EXPECT_THAT(Calls("unknown"), IsEmpty());
  EXPECT_EQ(Callee("given"), "f para1_x");
}

// MindSpore: a parameter's name may have changed since the header was printed.
TEST_F(DataflowTest, LinksParametersByNumberWhereNumbersAreUnique) {
  Resolve(R"(subgraph @g(%para2_) {
  %0(a) = Add(%para1_other, %para2_y)
  Return(%0)
}
subgraph @f() {
  Return(%para1_x)
}
)",
          "%para1_x: <null>\n");
  EXPECT_THAT(Operands("a"), ElementsAre("f para1_x", "g para2_"));
}

TEST_F(DataflowTest, LinksParametersByNumberAndNameWhereNumbersBeginAgain) {
  Resolve(R"(subgraph @f() {
  %0(a) = call @g(%para1_x)
  Return(%0)
}
subgraph @g parent: [subgraph @f](%para2_x, %para3_y) {
  %0(b) = call @h(%para1_x, %para2_x, %para3_y)
  Return(%0)
}
subgraph @h parent: [subgraph @g](%para2_z, %para3_y) {
  %0(c) = F(%para1_x, %para2_x, %para2_z, %para3_y, %para2_new)
  Return(%0)
}
)",
          "%para1_x: <null>\n");
  EXPECT_THAT(Operands("b"), ElementsAre("f para1_x", "g para2_x", "g para3_y"));
  EXPECT_THAT(Operands("c"),
              ElementsAre("f para1_x", "g para2_x", "h para2_z", "h para3_y", "h para2_z"));
}

TEST_F(DataflowTest, LinksParametersByNameWhereAllNumbersAreZero) {
  Resolve(R"(subgraph @f() {
  %0(a) = F(%para1_x)
  Return(%0)
}
subgraph @f(%para0_x, %para0_y) {
  %0(b) = F(%para1_x, %para0_y, %para0_x, @f)
  Return(%0)
}
)",
          "%para1_x: <null>\n");
  EXPECT_EQ(flow_->entry(), 0);
  // Its name is that of two subgraphs; what a graph refers to is the other one.
  EXPECT_THAT(Operands("b"), ElementsAre("f para1_x", "f para0_y", "f para0_x", "@f"));
  EXPECT_EQ(flow_->source(module_.nodes[Find("b")].operands.begin + 3).index, 0);
}

TEST_F(DataflowTest, ChoosesAmongNodesOfOneNameByType) {
  Resolve(R"(subgraph @g() {
  %0(x) = F()
      : () -> (<Int64, NoShape>)
  %1(x) = F()
      : () -> (<Float32, NoShape>)
  %2(x) = F()
      : () -> (<Float32, NoShape>)
  Return(%2)
      : (<Float32, NoShape>)
}
subgraph @f() {
  %0(a) = G($(@g:x), $(@g:x), $(@g:x))
      : (<Int64, NoShape>, <Float32, NoShape>, <Bool, NoShape>) -> (<null>)
  Return(%0)
      : (<null>)
}
)");
  EXPECT_THAT(Operands("a"), ElementsAre("g x", "g x?", "g x?"));
  const std::uint32_t first = module_.nodes[Find("a")].operands.begin;
  EXPECT_EQ(flow_->source(first).index, 0);
  EXPECT_EQ(flow_->source(first + 1).index, 1);
  EXPECT_EQ(flow_->source(first + 2).index, 0);
  EXPECT_EQ(flow_->ambiguous(), 2);
}

TEST_F(DataflowTest, SaysWhyANameIsNotResolved) {
  Resolve(R"(subgraph @f(%para1_x) {
  %0(a) = F(%0, %7, %para9_x, @nowhere, $(@nowhere:a), $(@f:b), %para, $(@f:para8_z))
  %1(b) = call @nowhere()
  %2(c) = nobody[@FuncUnion(@f, @nowhere)]()
  Return(%2)
}
)");
  const std::string node = "no earlier statement of the subgraph has this number";
  const std::string parameter = "no subgraph has this parameter";
  const std::string subgraph = "no subgraph has this name";
  const std::string name = "the subgraph has no such node";
  EXPECT_THAT(Operands("a"),
              ElementsAre(node, node, parameter, subgraph, subgraph, "f b", parameter, name));
  EXPECT_EQ(Callee("b"), subgraph);
  EXPECT_EQ(Callee("c"), parameter);
  EXPECT_THAT(Calls("c"), ElementsAre("f"));
  EXPECT_EQ(flow_->unresolved(), 10);
}

TEST_F(DataflowTest, FindsStatementsByNumberWhereOneIsMissing) {
  Resolve(R"(subgraph @f(%para1_x) {
  %0(a) = F(%para1_x)
  %2(b) = F(%0)
  %3(c) = F(%2, %1)
  Return(%3)
}
)");
  EXPECT_THAT(Operands("c"),
              ElementsAre("f b", "no earlier statement of the subgraph has this number"));
}

TEST_F(DataflowTest, EndsWhereSubgraphsAreTheirOwnParents) {
  Resolve(R"(subgraph @g parent: [subgraph @f](%para1_x) {
  Return(%para1_y)
}
subgraph @f parent: [subgraph @g](%para1_x) {
  %0(a) = nobody[@@f]()
  Return(%para1_y)
}
)");
  EXPECT_EQ(Callee("a"), "no subgraph has this parameter");
  EXPECT_EQ(flow_->Parent(0), 1);
  EXPECT_EQ(flow_->Parent(1), 0);
}

TEST_F(DataflowTest, OfAnEmptyDumpIsEmpty) {
  Resolve("");
  EXPECT_EQ(flow_->entry(), kNoIndex);
  EXPECT_EQ(flow_->unresolved(), 0);
}

TEST_F(DataflowTest, TakesTimeInProportionToTheDumpWhereManyHaveOneName) {
  std::string text = "subgraph @f(%para1_x";
  for (int i = 0; i < 20'000; ++i) text += ", %para1_x";
  text += ") {\n";
  for (int i = 0; i < 20'000; ++i)
    text += "  %" + std::to_string(i) + "(a) = F(%para1_x, $(@f:a), @f)\n";
  Resolve(text + "}\n");
  EXPECT_EQ(flow_->ambiguous(), 40'000);
}

}  // namespace
}  // namespace sightline::ir
