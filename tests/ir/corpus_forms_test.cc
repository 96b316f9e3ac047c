// Dumps of the corpus in other forms: compile errors, actor sets, kernel graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/ir/model/summary.h"
#include "sightline/tests/ir/corpus.h"

namespace sightline::ir {
namespace {

using testing::CorpusDump;
using testing::CorpusDumpNames;
using ::testing::ElementsAre;
using testing::ReadCorpusDump;

TEST(IrCorpusForms, ACompileErrorNamesTheStackAndTheFailingStatement) {
  const CorpusDump dump = ReadCorpusDump("compile_error/rank_0/om/analyze_fail.ir");
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

TEST(IrCorpusForms, AFinalActorSetHasAStatementAnActor) {
  const CorpusDump dump = ReadCorpusDump("mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir");
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

TEST(IrCorpusForms, AnActorSetOnTheWayHasSections) {
  for (const std::string& name : CorpusDumpNames()) {
    if (name.find("/actor_set/") == std::string::npos || name.find("final") != std::string::npos)
      continue;
    const CorpusDump dump = ReadCorpusDump(name);
    EXPECT_EQ(dump.module.form, Form::kActorSections) << name;
    EXPECT_GE(Summarize(dump.module).sections, 10) << name;
  }
}

TEST(IrCorpusForms, AKernelGraphsParametersHaveDevices) {
  const CorpusDump dump = ReadCorpusDump("mlp_level1/trace_code_graph_0091");
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
