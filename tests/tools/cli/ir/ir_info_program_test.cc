// `sightline ir info` and `stats`, run as people run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/ir/ir_dumps.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::CorpusPath;
using testing::Damaged;
using testing::DumpPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kDump;
using testing::Lines;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

TEST(IrInfoProgram, InfoShowsWhatIsInADump) {
  const Ran ran = RunProgram({"ir", "info", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("1 subgraph, 1 parameter, 3 statements, 8 source lines"),
                             HasSubstr("PrimFunc_Add           1\n")));
}

TEST(IrInfoProgram, InfoInJsonGivesTheFiguresOfAnIndependentParser) {
  const json counts = json::parse(ReadFileOrDie(DumpPath("counts.json")));
  std::vector<std::string> arguments = {"ir", "info", "--json"};
  std::vector<json> expected;
  for (const auto& [name, figures] : counts.items()) {
    arguments.push_back(DumpPath(name));
    expected.push_back(figures);
  }
  const Ran ran = RunProgram(arguments);
  EXPECT_EQ(ran.exit_code, 0);
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["file"], arguments[i + 3]);
    for (const char* figure : {"subgraphs", "params", "statements", "location_lines", "ops"})
      EXPECT_EQ(lines[i][figure], expected[i][figure]) << arguments[i + 3] << " " << figure;
  }
}

TEST(IrInfoProgram, InfoOfAFolderHasARowForEachDumpInTheOrderOfWriting) {
  const Ran ran = RunProgram({"ir", "info", DumpPath("mlp_level1")});
  EXPECT_EQ(ran.exit_code, 0);
  std::vector<std::string> names;
  std::istringstream rows(ran.out);
  for (std::string row; std::getline(rows, row);) names.push_back(row.substr(0, row.find(' ')));
  EXPECT_THAT(
      names,
      ElementsAre("dump", "opt_pass_0_add_attr_with_inline_0005.ir", "12_optimize_0066.ir",
                  "20_validate_0074.ir", "hwopt_common_before_graph_0_0083.ir",
                  "graph_before_reset_id_0_0089.ir", "graph_build_0_0090.ir",
                  "trace_code_graph_0091", "actor_set/0_actor_set_pipeline_kernel_graph_0.ir",
                  "actor_set/1_actor_set_kernel_graph_0_invalid_data_arrow_elimination.ir",
                  "actor_set/2_actor_set_kernel_graph_0_multi_actor_fusion.ir",
                  "actor_set/3_actor_set_kernel_graph_0_batch_data_arrow_fusion.ir",
                  "actor_set/final_actor_set_kernel_graph_0.ir"));
}

TEST(IrInfoProgram, InfoOfAFolderInJsonIsThatOfItsFiles) {
  const std::string folder = DumpPath("mlp_level1");
  const auto lines = Lines(RunProgram({"ir", "info", "--json", folder}).out);
  ASSERT_EQ(lines.size(), 12);
  for (const json& line : lines) {
    const Ran ran = RunProgram({"ir", "info", "--json", line["file"].get<std::string>()});
    EXPECT_EQ(line, Lines(ran.out).at(0));
  }
}

TEST(IrInfoProgram, InfoShowsDamageWithItsPlace) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "info", "--json", Damaged(dir)});
  EXPECT_EQ(ran.exit_code, 0);
  const json info = Lines(ran.out).at(0);
  EXPECT_EQ(info["statements"], 2);
  ASSERT_GE(info["problems"].size(), 1);
  EXPECT_EQ(info["problems"][0]["line"], 39);
  EXPECT_THAT(info["problems"][0]["message"].get<std::string>(),
              HasSubstr("a string is not closed"));
}

TEST(IrInfoProgram, InfoOfWhatIsNoDumpIsExitCode2AndTheRestIsShown) {
  const Ran ran =
      RunProgram({"ir", "info", CorpusPath("README.md"), "missing.ir", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("README.md is not a dump: line 1, column 1"),
                             HasSubstr("missing.ir")));
  EXPECT_THAT(ran.out, HasSubstr("3 statements"));
}

TEST(IrInfoProgram, StatsShowsOperatorsWithTheirResults) {
  const Ran ran = RunProgram({"ir", "stats", DumpPath("cast/20_validate_0074.ir")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("  cast from"), HasSubstr("PrimFunc_Cast"),
                             HasSubstr("5 x Float32 + Int64")));
}

TEST(IrInfoProgram, StatsInJsonAddUpToTheFiguresOfAnIndependentParser) {
  const json counts = json::parse(ReadFileOrDie(DumpPath("counts.json")));
  const std::string name = "cast/20_validate_0074.ir";
  const json stats = Lines(RunProgram({"ir", "stats", "--json", DumpPath(name)}).out).at(0);
  std::map<std::string, int> operators;
  for (const json& counted : stats["operators"])
    operators[counted["name"].get<std::string>()] = counted["count"].get<int>();
  EXPECT_EQ(json(operators), counts[name]["ops"]);
  int casts = 0;
  for (const json& counted : stats["casts"]) casts += counted["count"].get<int>();
  EXPECT_EQ(casts, operators.at("PrimFunc_Cast"));
}

}  // namespace
}  // namespace sightline
