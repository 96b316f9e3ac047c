// Every dump of a folder, compared with what an independent parser counted in it (counts.json).
//
// Without more said the folder is tests/corpus/ir; SIGHTLINE_IR_CORPUS names a larger one of the
// same form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/ir/dataflow.h"
#include "sightline/ir/location.h"
#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/ir/sorted.h"
#include "sightline/ir/summary.h"
#include "sightline/ir/type.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

std::string CorpusFolder() {
  const char* given = std::getenv("SIGHTLINE_IR_CORPUS");
  return given == nullptr ? testing::CorpusPath("ir") : given;
}

// A dump of the folder, with everything a test says when it fails.
struct CorpusDump {
  std::string name;
  std::string text;
  Module module;
};

CorpusDump ReadDump(const std::string& name) {
  CorpusDump dump{name, testing::ReadFileOrDie(CorpusFolder() + "/" + name), {}};
  Result<Module> module = ParseIr(dump.text);
  EXPECT_THAT(module, IsOk()) << name;
  if (module) dump.module = *std::move(module);
  return dump;
}

std::vector<std::string> DumpNames() {
  std::vector<std::string> names;
  const std::string folder = CorpusFolder();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().string().substr(folder.size() + 1);
    const bool dump = name.ends_with(".ir") || name.find("trace_code_graph_") != std::string::npos;
    if (entry.is_regular_file() && dump) names.push_back(name);
  }
  return names;
}

nlohmann::json Counts() {
  return nlohmann::json::parse(testing::ReadFileOrDie(CorpusFolder() + "/counts.json"));
}

const Line* FindNote(const CorpusDump& dump, const Node& node, LineKind kind) {
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    if (dump.module.lines[i].kind == kind) return &dump.module.lines[i];
  }
  return nullptr;
}

TEST(IrCorpus, EveryDumpIsReadWithoutAnUnexplainedLine) {
  const auto names = DumpNames();
  ASSERT_GE(names.size(), 60);
  for (const std::string& name : names) {
    const CorpusDump dump = ReadDump(name);
    EXPECT_EQ(dump.module.problem_count, 0) << name << ":" << dump.module.problems.front().line
                                            << ": " << dump.module.problems.front().message;
  }
  RecordProperty("dumps", static_cast<int>(names.size()));
}

TEST(IrCorpus, EveryDumpIsPrintedBackByteForByte) {
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    EXPECT_TRUE(PrintIr(dump.module) == dump.text) << name;
  }
}

TEST(IrCorpus, TheSortedFormOfEveryDumpIsReadBackAsTheSameGraph) {
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    if (dump.module.form != Form::kGraph) continue;
    const Result<Module> sorted = SortedForm(dump.module);
    ASSERT_THAT(sorted, IsOk()) << name;
    const Result<Module> read = ParseIr(PrintIr(*sorted));
    ASSERT_THAT(read, IsOk()) << name;
    EXPECT_EQ(read->problem_count, 0) << name << ": " << read->problems.front().message;
    const testing::GraphMeaning before(dump.module);
    const testing::GraphMeaning after(*read);
    EXPECT_EQ(after.unresolved(), before.unresolved()) << name;
    EXPECT_TRUE(after.results() == before.results()) << name;
    EXPECT_TRUE(after.statements() == before.statements()) << name;
  }
}

TEST(IrCorpus, EveryDumpHasWhatAnIndependentParserCounted) {
  const nlohmann::json counts = Counts();
  ASSERT_GE(counts.size(), 50);
  for (const auto& [name, expected] : counts.items()) {
    const Summary summary = Summarize(ReadDump(name).module);
    EXPECT_EQ(summary.subgraphs, expected["subgraphs"]) << name;
    EXPECT_EQ(summary.parameters, expected["params"]) << name;
    EXPECT_EQ(summary.statements, expected["statements"]) << name;
    EXPECT_EQ(summary.location_lines, expected["location_lines"]) << name;
    using Callees = std::map<std::string, std::uint64_t>;
    EXPECT_EQ(Callees(summary.callees.begin(), summary.callees.end()),
              expected["ops"].get<Callees>())
        << name;
  }
  RecordProperty("dumps", static_cast<int>(counts.size()));
}

// Lines of devices and objects leave out the monads that order side effects.
TEST(IrCorpus, OperandsAreAsManyAsTypes) {
  std::size_t checked = 0;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    for (const Node& node : dump.module.nodes) {
      for (const LineKind kind : {LineKind::kTypes, LineKind::kSymbolicShapes}) {
        const Line* line = FindNote(dump, node, kind);
        if (line == nullptr) continue;
        ++checked;
        EXPECT_EQ(dump.module.type_lines[line->index].inputs, node.operands.size)
            << name << " %" << node.number;
      }
    }
  }
  EXPECT_GE(checked, 1000);
}

TEST(IrCorpus, TypesAreTheFirstLineBelowAStatement) {
  std::size_t without = 0;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    for (const Node& node : dump.module.nodes) {
      if (node.lines.size == 0) {
        EXPECT_THAT(name, HasSubstr("format0"));
        ++without;
        continue;
      }
      EXPECT_EQ(dump.module.lines[node.lines.begin].kind, LineKind::kTypes)
          << name << " %" << node.number;
    }
  }
  EXPECT_GE(without, 100);
}

TEST(IrCorpus, StatementsAreAsManyAsTheHeaderSays) {
  std::size_t checked = 0;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    if (!dump.module.header.total_cnodes) continue;
    ++checked;
    EXPECT_EQ(*dump.module.header.total_cnodes, dump.module.nodes.size()) << name;
  }
  EXPECT_GE(checked, 50);
}

TEST(IrCorpus, SubgraphsCoverTheirStatementsWithoutGaps) {
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    std::uint32_t next = 0;
    for (const Subgraph& subgraph : dump.module.subgraphs) {
      EXPECT_EQ(subgraph.nodes.begin, next) << name;
      next = subgraph.nodes.end();
    }
    EXPECT_EQ(next, dump.module.nodes.size()) << name;
  }
}

TEST(IrCorpus, TheEntryIsOneOfTheSubgraphsAndHasTheHeadersParameters) {
  const nlohmann::json counts = Counts();
  for (const auto& [name, expected] : counts.items()) {
    const CorpusDump dump = ReadDump(name);
    std::size_t entries = 0;
    for (const Subgraph& subgraph : dump.module.subgraphs)
      entries += subgraph.name == dump.module.header.entry ? 1 : 0;
    EXPECT_EQ(entries, 1) << name;
    EXPECT_EQ(dump.module.header.total_parameters, dump.module.header.parameters.size) << name;
  }
}

TEST(IrCorpus, EveryNameInAStatementIsResolved) {
  std::size_t foreign = 0;
  std::size_t ambiguous = 0;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    const Dataflow flow(dump.module);
    EXPECT_EQ(flow.unresolved(), 0) << name;
    ambiguous += flow.ambiguous();
    for (const Operand& operand : dump.module.operands)
      foreign += operand.kind == OperandKind::kForeign ? 1 : 0;
  }
  EXPECT_GE(foreign, 100);
  EXPECT_EQ(ambiguous, 0);
  RecordProperty("foreign", static_cast<int>(foreign));
  RecordProperty("ambiguous", static_cast<int>(ambiguous));
}

// Calls and uses of parameters, by the names of subgraphs without their ids, which differ between
// processes: "29_sum calls 30_add", "29_sum takes 3_f y".
std::set<std::string> Links(const std::string& name) {
  const CorpusDump dump = ReadDump(name);
  const Module& module = dump.module;
  const Dataflow flow(module);
  const auto subgraph = [&](std::uint32_t i) {
    const std::string_view text = module.texts[module.subgraphs[i].name];
    return std::string(text.substr(0, text.rfind('_')));
  };
  std::set<std::string> links;
  for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
    const std::string from = subgraph(flow.SubgraphOfNode(i));
    for (const std::uint32_t called : flow.Calls(i))
      links.insert(from + " calls " + subgraph(called));
    const Range operands = module.nodes[i].operands;
    for (std::uint32_t k = operands.begin; k < operands.end(); ++k) {
      const Source source = flow.source(k);
      if (source.kind != SourceKind::kParameter) continue;
      const std::string_view parameter = module.texts[module.parameters[source.index].name];
      links.insert(from + " takes " + subgraph(flow.SubgraphOfParameter(source.index)) + " " +
                   std::string(parameter.substr(0, parameter.find_first_of("0123456789"))));
    }
  }
  return links;
}

// A sorted dump numbers parameters anew in every subgraph, and prints a free node of an ancestor
// again where it is used.
TEST(IrCorpus, ASortedDumpLinksLikeTheOrdinaryOneOfTheSameGraph) {
  const auto ordinary = Links("control_flow_grad/01_type_inference_0001.ir");
  const auto sorted = Links("control_flow_grad_sorted/01_type_inference_0001.ir");
  EXPECT_GE(ordinary.size(), 100);
  // 11 nodes are printed again.
  EXPECT_LE(sorted.size(), ordinary.size() + 2 * 11);
  std::vector<std::string> missing;
  std::set_difference(ordinary.begin(), ordinary.end(), sorted.begin(), sorted.end(),
                      std::back_inserter(missing));
  EXPECT_THAT(missing, IsEmpty());
}

// A node with what it calls and takes, by names: "a = Add(b, x, constant)".
std::multiset<std::string> Statements(const Module& module) {
  const Dataflow flow(module);
  const auto text = [&](TextId id) { return std::string(module.texts[id]); };
  const auto describe = [&](const Source& source) {
    switch (source.kind) {
      case SourceKind::kNode:
        return text(module.nodes[source.index].name);
      case SourceKind::kParameter:
        // The entry's may have been named anew since they were listed.
        if (flow.SubgraphOfParameter(source.index) == flow.entry())
          return "parameter " + std::to_string(module.parameters[source.index].number);
        return text(module.parameters[source.index].name);
      case SourceKind::kSubgraph:
        return "@" + text(module.subgraphs[source.index].name);
      case SourceKind::kPrimitive:
        return text(TextId{source.index});
      case SourceKind::kConstant:
        return std::string("constant");
      case SourceKind::kUnresolved:
        break;
    }
    return std::string("unresolved");
  };
  std::multiset<std::string> statements;
  for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
    const Node& node = module.nodes[i];
    std::string statement = text(node.name) + " = " + describe(flow.callee(i)) + "(";
    for (std::uint32_t k = node.operands.begin; k < node.operands.end(); ++k)
      statement += describe(flow.source(k)) + ", ";
    statements.insert(statement + ")");
  }
  return statements;
}

// MindSpore writes the two one after the other, with running numbers that follow each other.
TEST(IrCorpus, ADotIsTheGraphOfTheDumpBesideIt) {
  std::size_t checked = 0;
  for (const std::string& name : DumpNames()) {
    const std::size_t digits = name.rfind('_') + 1;
    const int number = std::atoi(name.c_str() + digits);
    std::string dot = std::to_string(number + 1);
    dot = name.substr(0, digits) + std::string(4 - std::min<std::size_t>(4, dot.size()), '0') +
          dot + ".dot";
    if (!name.ends_with(".ir") || !std::filesystem::exists(CorpusFolder() + "/" + dot)) continue;
    ++checked;
    const CorpusDump dump = ReadDump(name);
    const Result<Module> drawn = ReadIr(FileSystem::Local(), CorpusFolder() + "/" + dot);
    ASSERT_THAT(drawn, IsOk());
    EXPECT_EQ(drawn->problem_count, 0) << dot << ":" << drawn->problems.front().line;
    EXPECT_EQ(drawn->subgraphs.size(), dump.module.subgraphs.size()) << dot;
    EXPECT_EQ(drawn->header.parameters.size, dump.module.header.parameters.size) << dot;
    EXPECT_EQ(Statements(*drawn), Statements(dump.module)) << dot;
    EXPECT_EQ(Dataflow(*drawn).unresolved(), 0) << dot;
  }
  EXPECT_GE(checked, 3);
  RecordProperty("dots", static_cast<int>(checked));
}

TEST(IrCorpus, APbIsTheGraphOfADump) {
  using Operators = std::map<std::string, int>;
  const auto operators = [](const Module& module) {
    Operators count;
    for (const Node& node : module.nodes) {
      std::string callee(module.texts[node.callee]);
      if (callee.starts_with("PrimFunc_")) callee = callee.substr(9);
      ++count[callee];
    }
    return count;
  };
  const std::map<std::string, std::string> pairs = {
      {"ms_output_optimize.pb", "12_optimize_0066.ir"},
      {"ms_output_before_opt_0.pb", "hwopt_common_before_graph_0_0083.ir"},
      {"ms_output_after_opt_0.pb", "graph_before_reset_id_0_0089.ir"},
      {"ms_output_vm_build_0.pb", "graph_build_0_0090.ir"}};
  for (const auto& [pb, name] : pairs) {
    const Result<Module> graph = ReadIr(FileSystem::Local(), CorpusFolder() + "/mlp_level1/" + pb);
    ASSERT_THAT(graph, IsOk()) << pb;
    const CorpusDump dump = ReadDump("mlp_level1/" + name);
    EXPECT_EQ(graph->problem_count, 0) << pb;
    EXPECT_EQ(graph->header.parameters.size, dump.module.header.parameters.size) << pb;
    EXPECT_EQ(operators(*graph), operators(dump.module)) << pb;
    EXPECT_EQ(Dataflow(*graph).unresolved(), 0) << pb;
  }
}

// What other files hold is printed as a dump, and such a dump read.
TEST(IrCorpus, AGraphThatWasNoTextIsPrintedAsADump) {
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CorpusFolder())) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".pb") && !path.ends_with(".dot")) continue;
    ++checked;
    const Result<Module> module = ReadIr(FileSystem::Local(), path);
    ASSERT_THAT(module, IsOk());
    EXPECT_EQ(module->problem_count, 0) << path;
    const std::string text = PrintIr(*module);
    const Result<Module> again = ParseIr(text);
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(again->problem_count, 0)
        << path << ":" << again->problems.front().line << ": " << again->problems.front().message;
    EXPECT_EQ(Statements(*again), Statements(*module)) << path;
    EXPECT_EQ(PrintIr(*again), text) << path;
  }
  EXPECT_GE(checked, 7);
}

TEST(IrCorpus, LocationsPutTogetherAgainAreTheLine) {
  std::set<std::string> locations;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    for (const Line& line : dump.module.lines) {
      if (line.kind == LineKind::kLocation || line.kind == LineKind::kSubgraphLocation)
        locations.emplace(dump.module.texts[TextId{line.index}]);
    }
  }
  EXPECT_GE(locations.size(), 100);
  for (const std::string& text : locations) {
    const auto location = ParseLocation(text);
    ASSERT_TRUE(location) << text;
    std::string again = location->inlined ? "inlined:" : "";
    again += "In file " + std::string(location->path) + ":" + std::to_string(location->first_line);
    if (location->last_line != location->first_line)
      again += "~" + std::to_string(location->last_line);
    if (location->columns) {
      again += ", " + std::to_string(location->columns->begin) + "~" +
               std::to_string(location->columns->end);
    }
    again += "/" + std::string(location->code) + "/";
    if (location->shared)
      again += "<~~This line of code can be shared by multiple nodes, and may be duplicated./";
    EXPECT_EQ(again, text);
  }
}

TEST(IrCorpus, EveryTypeCanBeTakenApart) {
  std::size_t tensors = 0;
  for (const std::string& name : DumpNames()) {
    const CorpusDump dump = ReadDump(name);
    for (const Line& line : dump.module.lines) {
      if (line.kind != LineKind::kTypes) continue;
      const TypeLine& types = dump.module.type_lines[line.index];
      for (std::uint32_t i = 0; i < types.inputs + types.outputs; ++i) {
        const std::string_view text = dump.module.texts[dump.module.types[types.begin + i]];
        const auto type = ParseType(text);
        ASSERT_TRUE(type) << name << ": " << text;
        if (!type->name.starts_with("Tensor[")) continue;
        ++tensors;
        EXPECT_NE(ElementType(*type), "") << text;
        EXPECT_TRUE(Dimensions(type->shape)) << text;
      }
    }
  }
  EXPECT_GE(tensors, 1000);
}

TEST(IrCorpus, ACompileErrorNamesTheStackAndTheFailingStatement) {
  const CorpusDump dump = ReadDump("compile_error/rank_0/om/analyze_fail.ir");
  const Module& module = dump.module;
  EXPECT_EQ(module.form, Form::kFailure);
  ASSERT_EQ(module.subgraphs.size(), 5);
  EXPECT_EQ(module.subgraphs[0].name, module.subgraphs[1].name);
  EXPECT_NE(module.subgraphs[0].instance, module.subgraphs[1].instance);
  std::vector<std::uint32_t> stack;
  const Node* failing = nullptr;
  for (std::size_t i = 0; i < module.lines.size(); ++i) {
    if (module.lines[i].kind != LineKind::kEvaluated) continue;
    stack.push_back(module.lines[i].index);
    ASSERT_EQ(module.lines[i + 1].kind, LineKind::kNode);
    failing = &module.nodes[module.lines[i + 1].index];
  }
  EXPECT_THAT(stack, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(module.texts[failing->name], "CNode_28");
  EXPECT_EQ(module.texts[module.subgraphs.back().name], "matmul_ext_10");
}

TEST(IrCorpus, AFinalActorSetHasAStatementAnActor) {
  const CorpusDump dump = ReadDump("mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir");
  const Module& module = dump.module;
  EXPECT_EQ(module.form, Form::kActors);
  ASSERT_EQ(module.actors.size(), 8);
  const Actor& matmul = module.actors[3];
  EXPECT_EQ(module.texts[matmul.name], "kernel_graph0:MatMul-op0");
  EXPECT_EQ(matmul.operands.size, 4);
  EXPECT_EQ(matmul.lines.size, 5);
  EXPECT_FALSE(matmul.has_controls);
  const Actor& prepare = module.actors[0];
  EXPECT_EQ(prepare.operands.size, 0);
  EXPECT_EQ(prepare.controls.size, 2);
}

TEST(IrCorpus, AnActorSetOnTheWayHasSections) {
  for (const std::string& name : DumpNames()) {
    if (name.find("/actor_set/") == std::string::npos || name.find("final") != std::string::npos)
      continue;
    const CorpusDump dump = ReadDump(name);
    EXPECT_EQ(dump.module.form, Form::kActorSections) << name;
    EXPECT_GE(Summarize(dump.module).sections, 10) << name;
  }
}

TEST(IrCorpus, AKernelGraphsParametersHaveDevices) {
  const CorpusDump dump = ReadDump("mlp_level1/trace_code_graph_0091");
  const Module& module = dump.module;
  ASSERT_EQ(module.header.parameters.size, 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Parameter& parameter = module.parameters[module.header.parameters.begin + i];
    EXPECT_TRUE(module.texts[parameter.device].find("xDefaultFormat[const vector]") !=
                std::string_view::npos);
    EXPECT_EQ(parameter.is_weight, module.texts[parameter.name].starts_with("f.")) << i;
  }
}

}  // namespace
}  // namespace sightline::ir
