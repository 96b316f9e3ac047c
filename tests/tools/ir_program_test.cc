// `sightline ir`, run as people run it: what its verbs have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/ir_dumps.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::DumpPath;
using ::testing::HasSubstr;
using testing::kDump;
using ::testing::Not;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

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

TEST(IrProgram, AWrongCommandLineIsExitCode2) {
  EXPECT_EQ(RunProgram({"ir"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "info"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "show", "--json", DumpPath(kDump)}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "show", "--sorted", "--node", "%1", DumpPath(kDump)}).exit_code, 2);
}

}  // namespace
}  // namespace sightline
