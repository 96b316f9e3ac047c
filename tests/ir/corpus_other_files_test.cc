// MindSpore's .dot and .pb files, compared with the dumps beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/corpus.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::CorpusDump;
using testing::CorpusDumpNames;
using testing::CorpusFolder;
using testing::IsOk;
using testing::ReadCorpusDump;

// The nodes with their callees and operands, by names: "a = Add(b, x, constant)".
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
TEST(IrCorpusOtherFiles, ADotIsTheGraphOfTheDumpBesideIt) {
  std::size_t checked = 0;
  for (const std::string& name : CorpusDumpNames()) {
    const std::size_t digits = name.rfind('_') + 1;
    const int number = std::atoi(name.c_str() + digits);
    std::string dot = std::to_string(number + 1);
    dot = name.substr(0, digits) + std::string(4 - std::min<std::size_t>(4, dot.size()), '0') +
          dot + ".dot";
    if (!name.ends_with(".ir") || !std::filesystem::exists(CorpusFolder() + "/" + dot)) continue;
    ++checked;
    const CorpusDump dump = ReadCorpusDump(name);
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

TEST(IrCorpusOtherFiles, APbIsTheGraphOfADump) {
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
    const CorpusDump dump = ReadCorpusDump("mlp_level1/" + name);
    EXPECT_EQ(graph->problem_count, 0) << pb;
    EXPECT_EQ(graph->header.parameters.size, dump.module.header.parameters.size) << pb;
    EXPECT_EQ(operators(*graph), operators(dump.module)) << pb;
    EXPECT_EQ(Dataflow(*graph).unresolved(), 0) << pb;
  }
}

// The printed text is also read back.
TEST(IrCorpusOtherFiles, AGraphThatIsNotTextIsPrintedAsADump) {
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

}  // namespace
}  // namespace sightline::ir
