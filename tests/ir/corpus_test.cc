// Compares every dump of the corpus with the counts of an independent parser (counts.json).
#include "sightline/tests/ir/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/model/type.h"
#include "sightline/ir/query/sorted.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::CorpusCounts;
using testing::CorpusDump;
using testing::CorpusDumpNames;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::ReadCorpusDump;

const Line* FindNote(const CorpusDump& dump, const Node& node, LineKind kind) {
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    if (dump.module.lines[i].kind == kind) return &dump.module.lines[i];
  }
  return nullptr;
}

TEST(IrCorpus, EveryDumpIsReadWithoutAnUnexplainedLine) {
  const auto names = CorpusDumpNames();
  ASSERT_GE(names.size(), 60);
  for (const std::string& name : names) {
    const CorpusDump dump = ReadCorpusDump(name);
    EXPECT_EQ(dump.module.problem_count, 0) << name << ":" << dump.module.problems.front().line
                                            << ": " << dump.module.problems.front().message;
  }
  RecordProperty("dumps", static_cast<int>(names.size()));
}

TEST(IrCorpus, EveryDumpIsPrintedBackByteForByte) {
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
    EXPECT_TRUE(PrintIr(dump.module) == dump.text) << name;
  }
}

TEST(IrCorpus, TheSortedFormOfEveryDumpIsReadBackAsTheSameGraph) {
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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
  const nlohmann::json counts = CorpusCounts();
  ASSERT_GE(counts.size(), 50);
  for (const auto& [name, expected] : counts.items()) {
    const Summary summary = Summarize(ReadCorpusDump(name).module);
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
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
    if (!dump.module.header.total_cnodes) continue;
    ++checked;
    EXPECT_EQ(*dump.module.header.total_cnodes, dump.module.nodes.size()) << name;
  }
  EXPECT_GE(checked, 50);
}

TEST(IrCorpus, SubgraphsCoverTheirStatementsWithoutGaps) {
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
    std::uint32_t next = 0;
    for (const Subgraph& subgraph : dump.module.subgraphs) {
      EXPECT_EQ(subgraph.nodes.begin, next) << name;
      next = subgraph.nodes.end();
    }
    EXPECT_EQ(next, dump.module.nodes.size()) << name;
  }
}

TEST(IrCorpus, TheEntryIsOneOfTheSubgraphsAndHasTheHeadersParameters) {
  const nlohmann::json counts = CorpusCounts();
  for (const auto& [name, expected] : counts.items()) {
    const CorpusDump dump = ReadCorpusDump(name);
    std::size_t entries = 0;
    for (const Subgraph& subgraph : dump.module.subgraphs)
      entries += subgraph.name == dump.module.header.entry ? 1 : 0;
    EXPECT_EQ(entries, 1) << name;
    EXPECT_EQ(dump.module.header.total_parameters, dump.module.header.parameters.size) << name;
  }
}

TEST(IrCorpus, LocationsPutTogetherAgainAreTheLine) {
  std::set<std::string> locations;
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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

}  // namespace
}  // namespace sightline::ir
