// `sightline ir`, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

constexpr char kDump[] = "html/20_validate_0542.ir";

std::string DumpPath(const std::string& name) { return CorpusPath("ir/" + name); }

std::vector<json> Lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

// A dump whose second statement has lost its end.
std::string Damaged(const testing::TempDir& dir) {
  std::string text = ReadFileOrDie(DumpPath(kDump));
  const std::size_t end = text.find(") cnode_attrs", text.find("  %1("));
  text.erase(end, 1);
  testing::WriteFileOrDie(dir.File("damaged.ir"), text);
  return dir.File("damaged.ir");
}

TEST(IrProgram, HasHelpWithExamplesAndExitCodes) {
  EXPECT_THAT(RunProgram({"ir", "--help"}).out, HasSubstr("Examples:\n  sightline ir info"));
  for (const char* verb : {"info", "show", "stats"}) {
    const Ran ran = RunProgram({"ir", verb, "--help"});
    EXPECT_EQ(ran.exit_code, 0) << verb;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("Examples:\n  sightline ir " + std::string(verb)),
                               HasSubstr("Exit codes: 0")));
  }
}

TEST(IrProgram, InfoShowsWhatIsInADump) {
  const Ran ran = RunProgram({"ir", "info", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("1 subgraph, 1 parameter, 3 statements, 8 source lines"),
                             HasSubstr("PrimFunc_Add           1\n")));
}

TEST(IrProgram, InfoInJsonGivesTheFiguresOfAnIndependentParser) {
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

TEST(IrProgram, InfoOfAFolderHasARowForEachDumpInTheOrderOfWriting) {
  const Ran ran = RunProgram({"ir", "info", DumpPath("mlp_level1")});
  EXPECT_EQ(ran.exit_code, 0);
  std::vector<std::string> names;
  std::istringstream rows(ran.out);
  for (std::string row; std::getline(rows, row);) names.push_back(row.substr(0, row.find(' ')));
  EXPECT_THAT(names,
              ElementsAre("dump", "opt_pass_0_add_attr_with_inline_0005.ir", "12_optimize_0066.ir",
                          "20_validate_0074.ir", "hwopt_common_before_graph_0_0083.ir",
                          "graph_before_reset_id_0_0089.ir", "graph_build_0_0090.ir",
                          "trace_code_graph_0091"));
}

TEST(IrProgram, InfoShowsDamageWithItsPlace) {
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

TEST(IrProgram, InfoOfWhatIsNoDumpIsExitCode2AndTheRestIsShown) {
  const Ran ran =
      RunProgram({"ir", "info", CorpusPath("README.md"), "missing.ir", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("README.md is no dump: line 1, column 1"), HasSubstr("missing.ir")));
  EXPECT_THAT(ran.out, HasSubstr("3 statements"));
}

TEST(IrProgram, ShowRawPrintsWhatWasRead) {
  const Ran ran = RunProgram({"ir", "show", "--raw", DumpPath("const/20_validate_0074.ir")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_TRUE(ran.out == ReadFileOrDie(DumpPath("const/20_validate_0074.ir")));
}

TEST(IrProgram, ShowRawPrintsDamageToo) {
  const testing::TempDir dir;
  const std::string path = Damaged(dir);
  const Ran ran = RunProgram({"ir", "show", "--raw", path});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("damaged.ir: line 39, column "));
  EXPECT_TRUE(ran.out == ReadFileOrDie(path));
}

TEST(IrProgram, StatsShowsOperatorsWithTheirResults) {
  const Ran ran = RunProgram({"ir", "stats", DumpPath("cast/20_validate_0074.ir")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("  cast from"), HasSubstr("PrimFunc_Cast")));
}

TEST(IrProgram, StatsInJsonAddUpToTheFiguresOfAnIndependentParser) {
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

TEST(IrProgram, AWrongCommandLineIsExitCode2) {
  EXPECT_EQ(RunProgram({"ir"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "info"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "show", DumpPath(kDump)}).exit_code, 2);
}

}  // namespace
}  // namespace sightline
