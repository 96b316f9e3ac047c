#include "sightline/ir/dump_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sightline/ir/reader.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::FrameworkGraph;
using testing::GraphMeaning;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const std::function<void(GraphVisitor&)>& visit,
                   ScopeForm scope = ScopeForm::kFullName) {
  GraphTape tape;
  GraphVisitor visitor(tape);
  visit(visitor);
  return DumpText(ReadTape(tape), scope);
}

// Read back without anything that the grammar does not explain.
Module Read(const std::string& text) {
  Result<Module> module = ParseIr(text);
  EXPECT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0) << module->problems.front().message << "\n" << text;
  return *std::move(module);
}

TEST(DumpText, IsAnOrdinaryDump) {
  const int main = 0;
  const int x = 0;
  const int w = 0;
  const int add = 0;
  const Location line{.path = "net.py",
                      .first_line = 3,
                      .last_line = 3,
                      .columns = Location::Columns{4, 9},
                      .code = "    x + w"};
  const std::string text = TextOf([&](GraphVisitor& visitor) {
    const DumpAttribute attributes[] = {{"training", "1"}};
    visitor.Subgraph({.key = &main, .name = "main_1", .attributes = attributes, .location = line});
    visitor.Parameter({&x, "x", "<Tensor[Float32], (2)>", "[2]", false});
    visitor.Parameter({&w, "net.w", "<Ref[Tensor[Float32]], (2)>", "", true});
    const DumpValue operands[] = {{&x}, {&w}, {nullptr, "I64(1)"}};
    const DumpAttribute node_attributes[] = {
        {"grad", "Bool(1)"}, {"mode", "I64(1)"}, {"unique_id", "\"7\"", "cnode_primal_attrs"}};
    const std::string_view types[] = {"<Tensor[Float32], (2)>", "<Ref[Tensor[Float32]], (2)>",
                                      "<Int64, NoShape>", "<Tensor[Float32], (2)>"};
    visitor.Node({.key = &add,
                  .name = "CNode_7",
                  .primitive = "Add",
                  .operands = operands,
                  .attributes = node_attributes,
                  .types = types,
                  .full_name = "Default/net/Add-op0",
                  .side_effect = "memory ",
                  .locations = {&line, 1}});
    const DumpValue result[] = {{&add}};
    visitor.Return({.operands = result, .types = {types, 1}});
  });
  const std::string instance =
      text.substr(text.find(" : 0x"), text.find('\n', text.find(" : 0x")) - text.find(" : 0x"));
  EXPECT_EQ(text, R"(# IR entry: @main_1
# Total subgraphs: 1

# Attrs:
training: 1

# Total params: 2
# Params:
%para1_x: <Tensor[Float32], (2)> : [2]
%para2_net.w: <Ref[Tensor[Float32]], (2)>  :  has_default

Node counting information:
Total number of nodes: 7
Total number of cnodes: 2

subgraph attr:
training: 1
subgraph instance: main_1)" +
                      instance +
                      R"(
# In file net.py:3, 4~9/    x + w/
subgraph @main_1() {
  %0(CNode_7) = Add(%para1_x, %para2_net.w, I64(1)) primitive_attrs: {grad: Bool(1), mode: I64(1)} cnode_primal_attrs: {unique_id: "7"}
      : (<Tensor[Float32], (2)>, <Ref[Tensor[Float32]], (2)>, <Int64, NoShape>) -> (<Tensor[Float32], (2)>)
      # Fullname with scope: (Default/net/Add-op0)
      # In file net.py:3, 4~9/    x + w/
      # SideEffect: { memory }
  Return(%0)
      : (<Tensor[Float32], (2)>)
}


)");
  Read(text);
}

TEST(DumpText, OfPassesHasScopesWithoutNames) {
  const auto graph = FrameworkGraph::Small({"ReLU"});
  EXPECT_THAT(TextOf(graph.Visitor(), ScopeForm::kPath), HasSubstr("# Scope: (Default/net)\n"));
}

TEST(DumpText, OfEveryDumpOfTheCorpusIsReadBackAsTheGraphThatWasHandedOver) {
  int dumps = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing::CorpusPath("ir"))) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".ir")) continue;
    const auto module = ReadIr(FileSystem::Local(), path);
    ASSERT_TRUE(module);
    if (module->form != Form::kGraph || module->subgraphs.empty()) continue;
    ++dumps;
    const FrameworkGraph graph = FrameworkGraph::Of(*module);
    const Module read = Read(TextOf(graph.Visitor()));
    using enum GraphMeaning::Detail;
    EXPECT_TRUE(GraphMeaning(read, kGraph).results() == GraphMeaning(*module, kGraph).results())
        << path;
    EXPECT_EQ(read.nodes.size(), module->nodes.size()) << path;
  }
  EXPECT_GT(dumps, 40);
}

TEST(DumpText, PutsWhatANodeTakesBeforeIt) {
  auto graph = FrameworkGraph::Small({"Add", "ReLU"});
  std::swap(graph.subgraphs[0].ops[0], graph.subgraphs[0].ops[1]);
  graph.subgraphs[0].ops[0].inputs[0].key = &graph.subgraphs[0].ops[1];
  graph.subgraphs[0].ops[2].inputs[0].key = &graph.subgraphs[0].ops[0];
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%0(CNode_1) = Add(%para1_x)"));
  EXPECT_THAT(text, HasSubstr("%1(CNode_2) = ReLU(%0)"));
  EXPECT_EQ(Dataflow(Read(text)).unresolved(), 0);
}

TEST(DumpText, TellsNamesApartThatAreThereTwice) {
  auto graph = FrameworkGraph::Small({"Add", "ReLU", "Mul"});
  for (auto& op : graph.subgraphs[0].ops) op.name = "same";
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%0(same) = Add"));
  EXPECT_THAT(text, HasSubstr("%1(same$2) = ReLU"));
  EXPECT_THAT(text, HasSubstr("%2(same$3) = Mul"));
}

TEST(DumpText, NamesCannotBreakTheLine) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].name = "ma in(";
  graph.subgraphs[0].parameters[0].name = "x: y)";
  graph.subgraphs[0].ops[0].name = "no\nde, (1)";
  graph.subgraphs[0].ops[0].full_name = "Default\n/x";
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%0(no_de___1_) = Add(%para1_x__y_)"));
  EXPECT_THAT(text, HasSubstr("subgraph @ma_in_() {"));
  EXPECT_EQ(Dataflow(Read(text)).unresolved(), 0);
}

TEST(DumpText, LeavesOutTypesThatAreNotAsManyAsValues) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].ops[0].types.pop_back();
  Read(TextOf(graph.Visitor()));
}

TEST(DumpText, SaysWhereAKeyIsNobodys) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].ops[0].inputs[0].key = &graph;
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("Add(ValueProblem[DeadNode])"));
  Read(text);
}

TEST(DumpText, StacksOfOneKeyAreLookedAtOnce) {
  const std::string code = "x = 1";
  const Location line{.path = "a.py", .first_line = 1, .last_line = 1, .code = code};
  const std::string text = TextOf([&](GraphVisitor& visitor) {
    visitor.Subgraph({.key = &code, .name = "f"});
    EXPECT_FALSE(visitor.KnowsLocations(&line));
    visitor.Node({.name = "a", .primitive = "A", .locations = {&line, 1}, .location_key = &line});
    EXPECT_TRUE(visitor.KnowsLocations(&line));
    visitor.Node({.name = "b", .primitive = "B", .location_key = &line});
    visitor.Node({.name = "c", .primitive = "C"});
  });
  EXPECT_THAT(text, HasSubstr("(a) = A()\n      # In file a.py:1/x = 1/\n"));
  EXPECT_THAT(text, HasSubstr("(b) = B()\n      # In file a.py:1/x = 1/\n"));
  EXPECT_THAT(text, HasSubstr("(c) = C()\n}"));
}

TEST(DumpText, WithoutASubgraphThereIsNone) {
  EXPECT_EQ(TextOf([](GraphVisitor& visitor) { visitor.Node({.primitive = "Add"}); }), "");
}

}  // namespace
}  // namespace sightline::ir
