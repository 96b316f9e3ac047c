#include "sightline/ir/dump/dump_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sightline/ir/model/noise.h"
#include "sightline/ir/query/sorted.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using testing::FrameworkGraph;
using testing::GraphMeaning;
using ::testing::HasSubstr;
using ::testing::Not;

Module ModuleOf(const std::function<void(GraphVisitor&)>& visit,
                ScopeForm scope = ScopeForm::kFullName) {
  GraphTape tape;
  GraphVisitor visitor(tape);
  visit(visitor);
  return DumpModule(ReadTape(tape), scope);
}

std::string TextOf(const std::function<void(GraphVisitor&)>& visit,
                   ScopeForm scope = ScopeForm::kFullName) {
  return PrintIr(ModuleOf(visit, scope));
}

// Read back without anything that the grammar does not explain.
Module Read(const std::string& text) {
  Result<Module> module = ParseIr(text);
  EXPECT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0) << module->problems.front().message << "\n" << text;
  return *std::move(module);
}

// How many there are of the kinds of lines that a framework hands over.
std::map<LineKind, int> LinesOf(const Module& module) {
  using enum LineKind;
  std::map<LineKind, int> lines;
  for (const LineKind kind :
       {kDeviceTypes, kObjectTypes, kSymbolicShapes, kSubgraphSideEffect, kSideEffect, kNote}) {
    lines[kind] =
        static_cast<int>(std::count_if(module.lines.begin(), module.lines.end(),
                                       [kind](const Line& line) { return line.kind == kind; }));
  }
  return lines;
}

// Of the lines below a statement.
std::vector<LineKind> NoteKinds(const Module& module, std::uint32_t node) {
  std::vector<LineKind> kinds;
  const Range lines = module.nodes[node].lines;
  for (std::uint32_t i = lines.begin; i < lines.end(); ++i) kinds.push_back(module.lines[i].kind);
  return kinds;
}

std::string WithoutAddresses(const std::string& text) {
  std::string without;
  ir::WithoutAddresses(text, without);
  return without;
}

TEST(DumpModule, IsAnOrdinaryDump) {
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
    visitor.Parameter({.key = &x, .name = "x", .type = "<Tensor[Float32], (2)>", .shape = "[2]"});
    visitor.Parameter(
        {.key = &w, .name = "net.w", .type = "<Ref[Tensor[Float32]], (2)>", .has_default = true});
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

TEST(DumpModule, OfPassesHasScopesWithoutNames) {
  const auto graph = FrameworkGraph::Small({"ReLU"});
  EXPECT_THAT(TextOf(graph.Visitor(), ScopeForm::kPath), HasSubstr("# Scope: (Default/net)\n"));
}

TEST(DumpModule, OfEveryDumpOfTheCorpusIsReadBackAsTheGraphThatWasHandedOver) {
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
    const Module made = ModuleOf(graph.Visitor());
    const std::string text = PrintIr(made);
    const Module read = Read(text);
    using enum GraphMeaning::Detail;
    EXPECT_TRUE(GraphMeaning(made, kGraph).results() == GraphMeaning(read, kGraph).results())
        << path;
    const auto sorted = SortedForm(made);
    ASSERT_TRUE(sorted);
    EXPECT_TRUE(PrintIr(*sorted) == PrintIr(*SortedForm(read))) << path;
    EXPECT_TRUE(GraphMeaning(read, kGraph).results() == GraphMeaning(*module, kGraph).results())
        << path;
    EXPECT_EQ(read.nodes.size(), module->nodes.size()) << path;
    EXPECT_EQ(LinesOf(read), LinesOf(*module)) << path;
    const FrameworkGraph again = FrameworkGraph::Of(read);
    EXPECT_TRUE(WithoutAddresses(TextOf(again.Visitor())) == WithoutAddresses(text)) << path;
  }
  EXPECT_GT(dumps, 40);
}

// As MindSpore prints a node behind kernel selection, and its parameters.
TEST(DumpModule, OfAKernelGraphHasDevicesAndKinds) {
  const int x = 0;
  const int add = 0;
  const std::string text = TextOf([&](GraphVisitor& visitor) {
    visitor.Subgraph({.key = &text, .name = "kernel_graph0", .side_effect = "load "});
    visitor.Parameter({.key = &x,
                       .name = "x",
                       .type = "<Tensor[Float32], (2)>",
                       .shape = "[2]",
                       .device = "<Float32xNC1HWC0[const vector]{2}>"});
    const DumpValue operands[] = {{&x}, {nullptr, "I64(0)"}, {nullptr, "UMonad[U]"}};
    const std::string_view types[] = {"<Tensor[Float32], (2)>", "<Int64, NoShape>",
                                      "<UMonad, NoShape>", "<Tensor[Float32], (2)>"};
    const std::string_view devices[] = {"<Float32xNC1HWC0[const vector]{2}>",
                                        "<Int64xDefaultFormat[const vector]{}>"};
    const std::string_view objects[] = {"Tensor", "Scalar"};
    visitor.Node({.key = &add,
                  .name = "CNode_7",
                  .primitive = "PrimFunc_Add",
                  .operands = operands,
                  .types = types,
                  .devices = {devices, {devices, 1}},
                  .objects = {objects, {objects, 1}}});
    const DumpValue result[] = {{&add}};
    visitor.Return({.operands = result, .types = {types, 1}, .objects = {{objects, 1}}});
  });
  EXPECT_THAT(text, HasSubstr("%para1_x: <Tensor[Float32], (2)> : [2]  :  "
                              "<Float32xNC1HWC0[const vector]{2}>  :  IsWeight: false\n"));
  EXPECT_THAT(text, HasSubstr("# SideEffect: { load }\n"));
  EXPECT_THAT(text, HasSubstr(R"(
  %0(CNode_7) = PrimFunc_Add(%para1_x, I64(0), UMonad[U])
      : (<Tensor[Float32], (2)>, <Int64, NoShape>, <UMonad, NoShape>) -> (<Tensor[Float32], (2)>)
      : (<Float32xNC1HWC0[const vector]{2}>, <Int64xDefaultFormat[const vector]{}>) -> (<Float32xNC1HWC0[const vector]{2}>)
      : (Tensor, Scalar) -> (Tensor)
  Return(%0)
      : (<Tensor[Float32], (2)>)
      : (Tensor)
}
)"));
  const Module module = Read(text);
  EXPECT_EQ(module.texts[module.parameters[0].device], "<Float32xNC1HWC0[const vector]{2}>");
  using enum LineKind;
  EXPECT_THAT(NoteKinds(module, 0), ElementsAre(kTypes, kDeviceTypes, kObjectTypes));
}

TEST(DumpModule, OfADynamicGraphHasSymbolicShapes) {
  auto graph = FrameworkGraph::Small({"Shape", "ReLU"});
  auto& ops = graph.subgraphs[0].ops;
  ops[0].symbolic_shapes = {{"S:[s1<[1,inf]>, 3]"}, {"V:[s1<[1,inf]>, 3]"}};
  ops[1].symbolic_shapes = {{"V:[s1<[1,inf]>, 3]"}, {"<null>"}};
  ops[2].symbolic_shapes = {{"S:[s2<[3,inf]|3N|=s1*3>]"}, {}};
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("      : (S:[s1<[1,inf]>, 3]) -> (V:[s1<[1,inf]>, 3])\n"));
  EXPECT_THAT(text, HasSubstr("      : (V:[s1<[1,inf]>, 3]) -> (<null>)\n"));
  EXPECT_THAT(text, HasSubstr("      : (S:[s2<[3,inf]|3N|=s1*3>])\n"));
  const Module module = Read(text);
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(NoteKinds(module, i)[1], LineKind::kSymbolicShapes) << i;
}

// A line that a reader would take for another one, or for two items in place of one.
TEST(DumpModule, LeavesOutLinesOfTypesThatWouldBeReadAsOthers) {
  using Signature = FrameworkGraph::Signature;
  const auto lines = [](const Signature& symbolic_shapes, const Signature& devices,
                        const Signature& objects) {
    auto graph = FrameworkGraph::Small({"Add"});
    auto& add = graph.subgraphs[0].ops[0];
    add.symbolic_shapes = symbolic_shapes;
    add.devices = devices;
    add.objects = objects;
    return NoteKinds(Read(TextOf(graph.Visitor())), 0).size();
  };
  const std::size_t plain = lines({}, {}, {});
  EXPECT_EQ(lines({{"S:[1]"}, {"S:[2]"}}, {}, {}), plain + 1);
  EXPECT_EQ(lines({{"<null>"}, {"<null>"}}, {}, {}), plain + 1);
  EXPECT_EQ(lines({{"S:[1]"}, {}}, {}, {}), plain) << "not as many as operands and results";
  EXPECT_EQ(lines({}, {{"Float32"}, {"Float32"}}, {}), plain);
  EXPECT_EQ(lines({}, {{"<Float32xND[const vector]{1>"}, {}}, {}), plain) << "a bracket is missing";
  EXPECT_EQ(lines({}, {}, {{"<Tensor>"}, {"<Tensor>"}}), plain);
  for (const char* text : {"Tensor, Tensor", "Ten\nsor", "Tensor)", ""})
    EXPECT_EQ(lines({}, {}, {{"Tensor", text}, {}}), plain) << text;
}

TEST(DumpModule, OfANodeWithoutTypesHasNoOtherLineOfTypes) {
  auto graph = FrameworkGraph::Small({"Add"});
  auto& add = graph.subgraphs[0].ops[0];
  add.types.clear();
  add.objects = {{"Tensor"}, {"Tensor"}};
  EXPECT_THAT(TextOf(graph.Visitor()), Not(HasSubstr("(Tensor)")));
}

TEST(DumpModule, TypesThatCannotBeReadAreNull) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].parameters[0].type = "Tensor";
  graph.subgraphs[0].parameters[0].shape = "[2";
  graph.subgraphs[0].ops[0].types = {"<Tensor[Float32>", "<Int64, NoShape>, <Int64, NoShape>"};
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%para1_x: <null>\n"));
  EXPECT_THAT(text, HasSubstr("      : (<null>) -> (<null>)\n"));
  Read(text);
}

TEST(DumpModule, ClosuresSayWhatWasBound) {
  const int f = 0;
  const int g = 0;
  const int h = 0;
  const int pick = 0;
  const std::string text = TextOf([&](GraphVisitor& visitor) {
    visitor.Subgraph({.key = &f, .name = "f"});
    visitor.Node({.key = &pick, .name = "pick", .primitive = "Switch"});
    const DumpFunction bound[] = {{&g, 1}};
    visitor.Node({.name = "a", .called = &pick, .closure = bound});
    const DumpFunction either[] = {{&g}, {&h, 2}};
    visitor.Node({.name = "b", .called = &pick, .closure = either});
    const DumpFunction gone[] = {{&text, 1}};
    visitor.Node({.name = "c", .called = &pick, .closure = gone});
    visitor.Subgraph({.key = &g, .name = "g"});
    visitor.Subgraph({.key = &h, .name = "h"});
  });
  EXPECT_THAT(text, HasSubstr("(a) = %0[@Partial(@g)]()"));
  EXPECT_THAT(text, HasSubstr("(b) = %0[@FuncUnion(@g, Partial(Partial(@h)))]()"));
  EXPECT_THAT(text, HasSubstr("(c) = %0()"));
  const Module module = Read(text);
  EXPECT_THAT(Dataflow(module).Calls(2), ElementsAre(1, 2));
}

TEST(DumpModule, OriginsStandBelowTheirHeadings) {
  const Location own{.path = "a.py", .first_line = 1, .last_line = 1, .code = "loss"};
  const Location forward{.path = "a.py", .first_line = 2, .last_line = 2, .code = "f(x)"};
  const std::string text = TextOf([&](GraphVisitor& visitor) {
    visitor.Subgraph({.key = &own, .name = "f"});
    const DumpOrigin origins[] = {{DumpOrigin::Kind::kFused},
                                  {DumpOrigin::Kind::kForward, {&forward, 1}, &forward}};
    visitor.Node({.name = "a", .primitive = "A", .locations = {&own, 1}, .origins = origins});
    EXPECT_TRUE(visitor.KnowsLocations(&forward));
    visitor.Node({.name = "b", .primitive = "B", .location_key = &forward});
  });
  EXPECT_THAT(text, HasSubstr(R"(
  %0(a) = A()
      # In file a.py:1/loss/
      # Corresponding code candidate:
      # Corresponding forward node candidate:
      # In file a.py:2/f(x)/
  %1(b) = B()
      # In file a.py:2/f(x)/
)"));
  Read(text);
}

TEST(DumpModule, PutsWhatANodeTakesBeforeIt) {
  auto graph = FrameworkGraph::Small({"Add", "ReLU"});
  std::swap(graph.subgraphs[0].ops[0], graph.subgraphs[0].ops[1]);
  graph.subgraphs[0].ops[0].inputs[0].key = &graph.subgraphs[0].ops[1];
  graph.subgraphs[0].ops[2].inputs[0].key = &graph.subgraphs[0].ops[0];
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%0(CNode_1) = Add(%para1_x)"));
  EXPECT_THAT(text, HasSubstr("%1(CNode_2) = ReLU(%0)"));
  EXPECT_EQ(Dataflow(Read(text)).unresolved(), 0);
}

TEST(DumpModule, TellsNamesApartThatAreThereTwice) {
  auto graph = FrameworkGraph::Small({"Add", "ReLU", "Mul"});
  for (auto& op : graph.subgraphs[0].ops) op.name = "same";
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("%0(same) = Add"));
  EXPECT_THAT(text, HasSubstr("%1(same$2) = ReLU"));
  EXPECT_THAT(text, HasSubstr("%2(same$3) = Mul"));
}

TEST(DumpModule, NamesCannotBreakTheLine) {
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

TEST(DumpModule, WhatIsCalledAndKeysCannotBreakTheLine) {
  for (const std::string odd : {"a, b", "a(b", "a)", "}{", "a\nb", "a: \"b"}) {
    auto graph = FrameworkGraph::Small({"Add", "ReLU"});
    graph.subgraphs[0].ops[0].primitive = odd;
    graph.subgraphs[0].ops[0].attributes = {{odd, odd, "Bool(0)"}, {odd, "next", "Bool(1)"}};
    const Module module = Read(TextOf(graph.Visitor()));
    ASSERT_EQ(module.nodes.size(), 3U) << odd;  // With the Return.
    EXPECT_EQ(module.nodes[0].operands.size, 1U) << odd;
    const Range groups = module.node_attributes[module.nodes[0].attributes].groups;
    ASSERT_EQ(groups.size, 1U) << odd;
    EXPECT_EQ(module.attribute_groups[groups.begin].attributes.size, 2U) << odd;
  }
}

TEST(DumpModule, WhatIsReadBackAsItIsStaysAsItIs) {
  auto graph = FrameworkGraph::Small({"DoSignature[Add]", "MultitypeFuncGraph{Mul, (1)}"});
  graph.subgraphs[0].ops[0].attributes = {{"primitive_attrs", "axes", "(I64(0), [1, 2])"},
                                          {"primitive_attrs", "name", "\"a b\""}};
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr(" = DoSignature[Add]("));
  EXPECT_THAT(text, HasSubstr(" = MultitypeFuncGraph{Mul, (1)}("));
  EXPECT_THAT(text, HasSubstr("{axes: (I64(0), [1, 2]), name: \"a b\"}"));
  Read(text);
}

TEST(DumpModule, LeavesOutTypesThatAreNotAsManyAsValues) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].ops[0].types.pop_back();
  Read(TextOf(graph.Visitor()));
}

TEST(DumpModule, SaysWhereAKeyIsNobodys) {
  auto graph = FrameworkGraph::Small({"Add"});
  graph.subgraphs[0].ops[0].inputs[0].key = &graph;
  const std::string text = TextOf(graph.Visitor());
  EXPECT_THAT(text, HasSubstr("Add(ValueProblem[DeadNode])"));
  Read(text);
}

TEST(DumpModule, StacksOfOneKeyAreLookedAtOnce) {
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

}  // namespace
}  // namespace sightline::ir
