// What the names in every dump of the corpus mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "sightline/ir/query/dataflow.h"
#include "sightline/tests/ir/corpus.h"

namespace sightline::ir {
namespace {

using testing::CorpusDump;
using testing::CorpusDumpNames;
using ::testing::IsEmpty;
using testing::ReadCorpusDump;

TEST(IrCorpusDataflow, EveryNameInAStatementIsResolved) {
  std::size_t foreign = 0;
  std::size_t ambiguous = 0;
  for (const std::string& name : CorpusDumpNames()) {
    const CorpusDump dump = ReadCorpusDump(name);
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
  const CorpusDump dump = ReadCorpusDump(name);
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
TEST(IrCorpusDataflow, ASortedDumpLinksLikeTheOrdinaryOneOfTheSameGraph) {
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

}  // namespace
}  // namespace sightline::ir
