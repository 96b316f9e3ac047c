// `sightline ir`, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Lines;
using ::testing::Not;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

constexpr char kDump[] = "html/20_validate_0542.ir";

std::string DumpPath(const std::string& name) { return CorpusPath("ir/" + name); }

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
  for (const char* verb : {"blame", "calls", "compare", "diff", "dot", "fail", "grep", "info",
                           "pack", "show", "stats", "timeline"}) {
    const Ran ran = RunProgram({"ir", verb, "--help"});
    EXPECT_EQ(ran.exit_code, 0) << verb;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("Examples:\n  sightline ir " + std::string(verb)),
                               HasSubstr("Exit codes: 0")));
  }
}

TEST(IrProgram, AFolderWithoutDumpsIsAnErrorOfEveryVerb) {
  const testing::TempDir empty;
  for (const char* verb : {"info", "timeline", "stats", "grep", "dot"}) {
    const Ran ran = RunProgram({"ir", verb, empty.path()});
    EXPECT_EQ(ran.exit_code, 2) << verb;
    EXPECT_THAT(ran.err, HasSubstr(empty.path() + " holds no graph dumps"));
  }
  const std::string pack = empty.File("empty.irpack");
  EXPECT_EQ(RunProgram({"ir", "pack", empty.path(), "-o", pack}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(pack));
  EXPECT_EQ(RunProgram({"ir", "blame", "--op", "Add", empty.path()}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "compare", empty.path(), DumpPath("html")}).exit_code, 2);
}

TEST(IrProgram, AFolderOrAnEmptyFileInPlaceOfADumpIsNamed) {
  for (const char* verb : {"show", "calls"}) {
    const Ran ran = RunProgram({"ir", verb, DumpPath("html")});
    EXPECT_EQ(ran.exit_code, 2) << verb;
    EXPECT_THAT(ran.err, HasSubstr("html is a folder; name a dump in it"));
  }
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File("empty.ir"), "");
  const Ran ran = RunProgram({"ir", "info", dir.File("empty.ir")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("empty.ir is no dump: it is empty"));
}

TEST(IrProgram, OfActorsTheirNumberIsShown) {
  for (const char* verb : {"info", "timeline"}) {
    const Ran ran = RunProgram({"ir", verb, "--no-index", DumpPath("mlp_level1")});
    EXPECT_THAT(ran.out, ContainsRegex("final_actor_set[^ ]*ir +[0-9]+ actors?\n")) << verb;
  }
}

TEST(IrProgram, ShowPrintsTheDumpWhereNoNodeIsAskedFor) {
  EXPECT_EQ(RunProgram({"ir", "show", DumpPath(kDump)}).out, ReadFileOrDie(DumpPath(kDump)));
}

TEST(IrProgram, FailFindsTheCompileErrorsOfAFolder) {
  const std::string file = DumpPath("compile_error/rank_0/om/analyze_fail.ir");
  const Ran ran = RunProgram({"ir", "fail", DumpPath("compile_error")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, RunProgram({"ir", "fail", file}).out);
  const Ran none = RunProgram({"ir", "fail", DumpPath("html")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("html holds no analyze_fail.ir"));
}

TEST(IrProgram, BlameSaysWhereNothingIsFound) {
  const Ran ran = RunProgram({"ir", "blame", "--op", "Nothing", "--no-index", DumpPath("html")});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("html has such a node"));
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
  const Ran ran = RunProgram({"ir", "info", "--no-index", DumpPath("mlp_level1")});
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

TEST(IrProgram, InfoOfAFolderInJsonIsThatOfItsFiles) {
  const std::string folder = DumpPath("mlp_level1");
  const auto lines = Lines(RunProgram({"ir", "info", "--no-index", "--json", folder}).out);
  ASSERT_EQ(lines.size(), 12);
  for (const json& line : lines) {
    const Ran ran = RunProgram({"ir", "info", "--json", line["file"].get<std::string>()});
    EXPECT_EQ(line, Lines(ran.out).at(0));
  }
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

// Three passes, the second of which changed nothing.
std::string ThreePasses(const testing::TempDir& dir) {
  testing::WriteFileOrDie(dir.File("00_bootstrap_0000.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_0_a_0001.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_1_b_0002.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_2_c_0003.ir"), testing::SmallDump("Add Tanh Cast"));
  return dir.path();
}

TEST(IrProgram, TimelineShowsWhatEachPassChanged) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "timeline", "--no-index", ThreePasses(dir)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("4 dumps, 1 changed something; 0 other files (0 B)"),
                             HasSubstr("  ... 2 unchanged, up to opt_pass_1_b_0002.ir"),
                             HasSubstr("4 (+1)  +1 Cast, -1 ReLU, +1 Tanh\n")));
  const Ran all = RunProgram({"ir", "timeline", "--no-index", "--all", dir.path()});
  EXPECT_THAT(all.out,
              HasSubstr("  opt_pass_0_a_0001.ir          1       1           3  nothing\n"));
}

TEST(IrProgram, TimelineShowsStepsOfOtherGraphsByThemselves) {
  const testing::TempDir dir;
  const auto write = [&](const std::string& name, const std::string& entry) {
    std::string text = testing::SmallDump("Add ReLU");
    for (std::size_t at = 0; (at = text.find("main_1", at)) != std::string::npos;)
      text.replace(at, 6, entry);
    testing::WriteFileOrDie(dir.File(name), text);
  };
  write("01_type_inference_0000.ir", "net_1");
  write("opt_resolve.r1.resolve.getattr_0001.ir", "bprop_load_5");
  write("opt_substep_opt_resolve_r1_j0_0_resolve_0002.ir", "bprop_load_5");
  write("opt_pass_0_a_0003.ir", "net_1");
  const Ran ran = RunProgram({"ir", "timeline", "--no-index", dir.path()});
  EXPECT_EQ(ran.exit_code, 0);
  const std::size_t others = ran.out.find("\ngraphs of their own\n");
  ASSERT_NE(others, std::string::npos);
  EXPECT_THAT(ran.out.substr(0, others), HasSubstr("opt_pass_0_a_0003.ir"));
  EXPECT_THAT(ran.out.substr(0, others), Not(HasSubstr("resolve")));
  EXPECT_THAT(ran.out.substr(others), HasSubstr("graph @bprop_load_5\n  opt_substep_opt_resolve"));
  const auto lines = Lines(RunProgram({"ir", "timeline", "--json", "--no-index", dir.path()}).out);
  EXPECT_EQ(lines[1]["graph"], "bprop_load_5");
  EXPECT_FALSE(lines[1].contains("before"));
  EXPECT_EQ(lines[2]["before"], lines[1]["file"]);
  EXPECT_EQ(lines[3]["before"], lines[0]["file"]);
  EXPECT_FALSE(lines[3].contains("graph"));
}

TEST(IrProgram, TimelineInJsonHasALineADump) {
  const testing::TempDir dir;
  const testing::TempDir index;
  const std::vector<std::string> arguments = {"ir",          "timeline",   "--json",
                                              "--index-dir", index.path(), ThreePasses(dir)};
  const Ran ran = RunProgram(arguments);
  EXPECT_EQ(ran.exit_code, 0);
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), 4);
  EXPECT_EQ(lines[3],
            json::parse(R"({"folder": ")" + dir.path() +
                        R"(", "file": "opt_pass_2_c_0003.ir", "run": 1, "compilation": 1,
      "kind": "pass", "number": 3, "bytes": )" +
                        std::to_string(testing::SmallDump("Add Tanh Cast").size()) +
                        R"(, "subgraphs": 1, "params": 1, "statements": 4, "changed": true,
      "before": "opt_pass_1_b_0002.ir", "delta": {"subgraphs": 0, "params": 0, "statements": 1,
      "ops": {"Cast": 1, "ReLU": -1, "Tanh": 1}}})"));
  EXPECT_EQ(lines[2]["changed"], false);
  EXPECT_FALSE(std::filesystem::is_empty(index.path()));
  EXPECT_EQ(RunProgram(arguments).out, ran.out);
}

TEST(IrProgram, TimelineSaysThatAFolderHoldsAnotherRun) {
  const testing::TempDir dir;
  ThreePasses(dir);
  testing::WriteFileOrDie(dir.File("opt_pass_0_other_0001.ir"), testing::SmallDump("Add"));
  const Ran ran = RunProgram({"ir", "timeline", "--no-index", dir.path()});
  EXPECT_THAT(ran.out, HasSubstr("run 2: numbers come again, so the folder holds another run"));
}

TEST(IrProgram, TimelineOfAFileIsAnError) {
  const Ran ran = RunProgram({"ir", "timeline", "--no-index", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("20_validate_0542.ir is no folder of dumps"));
}

TEST(IrProgram, EveryVerbReadsAPackAsTheFolder) {
  const testing::TempDir dir;
  for (const char* folder : {"mlp_level1", "compile_error"}) {
    const Ran packed = RunProgram({"ir", "pack", "--json", DumpPath(folder), "-o",
                                   dir.File(std::string(folder) + ".irpack")});
    EXPECT_EQ(packed.exit_code, 0);
    EXPECT_EQ(json::parse(packed.out)["packed_bytes"],
              ReadFileOrDie(dir.File(std::string(folder) + ".irpack")).size());
  }
  // "{mlp}" and "{error}" are the folders, in a pack or not.
  const auto run = [&](const std::vector<std::string>& arguments, bool in_pack) {
    const std::string roots[] = {
        in_pack ? dir.File("mlp_level1.irpack") : DumpPath("mlp_level1"),
        in_pack ? dir.File("compile_error.irpack") : DumpPath("compile_error")};
    const auto replace = [](std::string text, const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
      return text;
    };
    std::vector<std::string> all = {"ir"};
    for (const std::string& argument : arguments)
      all.push_back(replace(replace(argument, "{mlp}", roots[0]), "{error}", roots[1]));
    const Ran ran = RunProgram(all);
    return std::to_string(ran.exit_code) + "\n" +
           replace(replace(ran.out, roots[0], "{mlp}"), roots[1], "{error}");
  };
  const std::string dump = "{mlp}/20_validate_0074.ir";
  const std::vector<std::vector<std::string>> commands = {
      {"info", "--no-index", "--json", "{mlp}"},
      {"info", dump},
      {"timeline", "--no-index", "--json", "{mlp}"},
      {"show", "--raw", dump},
      {"show", "--raw", "{mlp}/ms_output_optimize.pb"},
      {"show", "--node", "%1", dump},
      {"grep", "--op", "MatMul", dump},
      {"stats", "--json", dump},
      {"stats", "--json", "{mlp}"},
      {"diff", "{mlp}/graph_build_0_0090.ir", dump},
      {"compare", "--json", "{mlp}", "{mlp}"},
      {"dot", dump},
      {"blame", "--op", "PrimFunc_MatMul", "{mlp}"},
      {"calls", "--json", dump},
      {"fail", "--json", "{error}/rank_0/om/analyze_fail.ir"},
  };
  std::set<std::string> verbs;
  for (const auto& command : commands) {
    verbs.insert(command[0]);
    const std::string of_folder = run(command, false);
    EXPECT_GT(of_folder.size(), 60) << command[0];
    EXPECT_EQ(run(command, true), of_folder) << command[0];
  }
  EXPECT_EQ(verbs.size(), 11) << "all but pack";
}

TEST(IrProgram, PathMapOpensSourcesHereInEveryVerbThatShowsThem) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const std::string failure = DumpPath("compile_error/rank_0/om/analyze_fail.ir");
  const std::vector<std::vector<std::string>> commands = {
      {"show", "--node", "%1", dump},
      {"show", "--json", "--node", "%1", dump},
      {"grep", "--json", "--op", "MatMul", dump},
      {"fail", failure},
      {"fail", "--json", failure},
  };
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), "ir");
    EXPECT_THAT(RunProgram(command).out, HasSubstr("/home/user/")) << command[1];
    command.insert(command.begin() + 2, {"--path-map", "/home/user=/tmp/project"});
    const Ran ran = RunProgram(command);
    EXPECT_THAT(ran.out, HasSubstr("/tmp/project/")) << command[1];
    EXPECT_THAT(ran.out, Not(HasSubstr("/home/user/"))) << command[1];
  }
}

TEST(IrProgram, PackingWhatIsNotThereIsExitCode2) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "pack", dir.File("none"), "-o", dir.File("p.irpack")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("none"));
  EXPECT_FALSE(std::filesystem::exists(dir.File("p.irpack")));
}

TEST(IrProgram, ShowRawPrintsWhatWasRead) {
  const Ran ran = RunProgram({"ir", "show", "--raw", DumpPath("const/20_validate_0074.ir")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_TRUE(ran.out == ReadFileOrDie(DumpPath("const/20_validate_0074.ir")));
}

TEST(IrProgram, ShowRawSortedPrintsTheSortedForm) {
  const std::string dump = DumpPath("control_flow_grad_sorted/20_validate_0077.ir");
  EXPECT_EQ(RunProgram({"ir", "show", "--raw", "--sorted", dump}).out, ReadFileOrDie(dump));
  const Ran ran = RunProgram(
      {"ir", "show", "--raw", "--sorted", DumpPath("compile_error/rank_0/om/analyze_fail.ir")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("analyze_fail.ir: only dumps of graphs have a sorted form"));
  EXPECT_NE(RunProgram({"ir", "show", "--sorted", "--node", "%1", dump}).exit_code, 0);
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
  EXPECT_THAT(ran.out, AllOf(HasSubstr("  cast from"), HasSubstr("PrimFunc_Cast"),
                             HasSubstr("5 x Float32 + Int64")));
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
  EXPECT_EQ(RunProgram({"ir", "show", "--json", DumpPath(kDump)}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "show", "--sorted", "--node", "%1", DumpPath(kDump)}).exit_code, 2);
}

TEST(IrProgram, GrepFindsNodesByEveryCondition) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const auto names = [&](std::vector<std::string> conditions) {
    conditions.insert(conditions.begin(), {"ir", "grep", "--json", dump});
    std::vector<std::string> found;
    for (const json& line : Lines(RunProgram(conditions).out)) {
      found.push_back(line["callee"].get<std::string>() + " " +
                      std::to_string(line["line"].get<std::size_t>()));
    }
    return found;
  };
  EXPECT_THAT(names({"--op", "MatMul"}), ElementsAre("PrimFunc_MatMul 37"));
  EXPECT_THAT(names({"--name", "CNode_6?", "--op", "PrimFunc_*"}), ElementsAre(HasSubstr("ReLU")));
  EXPECT_THAT(names({"--param", "f.bias"}), ElementsAre(HasSubstr("Load")));
  EXPECT_THAT(names({"--scope", "Default/f-Dense", "--op", "*Add"}),
              ElementsAre(HasSubstr("PrimFunc_BiasAdd")));
  EXPECT_THAT(names({"--attr", "side_effect_propagate=I64(1)"}), ElementsAre(HasSubstr("Depend")));
  EXPECT_THAT(names({"--source", "basic.py:743", "--op", "*Add"}),
              ElementsAre(HasSubstr("BiasAdd")));
  EXPECT_EQ(RunProgram({"ir", "grep", "--op", "Conv2D", dump}).exit_code, 1);
  EXPECT_EQ(RunProgram({"ir", "grep", "--op", "Conv2D", "nowhere.ir"}).exit_code, 2);
}

TEST(IrProgram, GrepNamesTheLineOfTheFile) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const Ran ran = RunProgram({"ir", "grep", "--op", "MatMul", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr(dump + ":37: @13_1_"),
                             HasSubstr("%1(x) = PrimFunc_MatMul(%para1_x, %0, Bool(0), Bool(1)) -> "
                                       "Float32 (2, 3)\n")));
  std::istringstream lines(ReadFileOrDie(dump));
  std::string line;
  for (int i = 0; i < 37; ++i) std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr("%1(x) = PrimFunc_MatMul"));
  EXPECT_EQ(RunProgram({"ir", "grep", "--count", "--op", "Load", dump}).out, dump + ":2\n");
}

TEST(IrProgram, ShowsANodeWithWhatItTakesAndWhoUsesIt) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const Ran ran =
      RunProgram({"ir", "show", "--node", "%1", "--path-map", "/home/user=/tmp/project", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("result    Float32 (2, 3)"),
                             HasSubstr("scope     Default/f-Dense/MatMul-op0"),
                             HasSubstr("takes     %para1_x of @13_1_"), HasSubstr("used by"),
                             HasSubstr("cnode_attrs\n    checkpoint: Bool(1)"),
                             HasSubstr("source    /tmp/project/nets.py:147  def construct")));
  const json card = Lines(RunProgram({"ir", "show", "--json", "--node", "%1", dump}).out).at(0);
  EXPECT_EQ(card["operands"].size(), 4);
  EXPECT_EQ(card["users"].size(), 1);
  EXPECT_EQ(card["source"].back()["line"], 742);
  EXPECT_EQ(RunProgram({"ir", "show", "--node", "nobody", dump}).exit_code, 1);
}

TEST(IrProgram, CallsShowsWhoCallsWhomAndWhatIsFree) {
  const std::string dump = DumpPath("control_flow_grad/01_type_inference_0001.ir");
  const Ran ran = RunProgram({"ir", "calls", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("  uses     %para11_n of @5___main___CtlNet_construct_42\n"));
  std::size_t entries = 0;
  const auto lines = Lines(RunProgram({"ir", "calls", "--json", dump}).out);
  EXPECT_EQ(lines.size(), 81);
  for (const json& line : lines) entries += line["entry"].get<bool>() ? 1U : 0U;
  EXPECT_EQ(entries, 1);
}

TEST(IrProgram, FailTellsTheWayToTheStatementThatFailed) {
  const std::string dump = DumpPath("compile_error/rank_0/om/analyze_fail.ir");
  const Ran ran = RunProgram({"ir", "fail", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("but got 3 and 4"), HasSubstr("  4  @matmul_ext_10\n"),
                             HasSubstr("%1(CNode_28) = %0(%para0_input, %para0_other)   <- failed"),
                             HasSubstr("with  Float32 (2, 3), Float32 (4, 5)"),
                             HasSubstr("gen_ops_def.py:9192")));
  const json story = Lines(RunProgram({"ir", "fail", "--json", dump}).out).at(0);
  EXPECT_EQ(story["failing"], "CNode_28");
  ASSERT_EQ(story["stack"].size(), 5);
  EXPECT_EQ(story["stack"][0]["subgraph"], story["stack"][1]["subgraph"]);
  EXPECT_NE(story["stack"][0]["instance"], story["stack"][1]["instance"]);
  const Ran other = RunProgram({"ir", "fail", DumpPath(kDump)});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("tells of no failure"));
}

}  // namespace
}  // namespace sightline
