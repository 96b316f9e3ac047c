// `sightline ir`, run as people run it: what its verbs have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/ir/ir_dumps.h"
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
  for (const char* verb : {"anonymize", "blame", "calls", "compare", "diff", "dot", "fail", "grep",
                           "info", "show", "stats", "timeline"}) {
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
  const std::string copy = empty.File("copy");
  EXPECT_EQ(RunProgram({"ir", "anonymize", empty.path(), "-o", copy}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(copy));
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
  EXPECT_THAT(ran.err, HasSubstr("empty.ir is empty, not a dump"));
}

TEST(IrProgram, OfActorsTheirNumberIsShown) {
  for (const char* verb : {"info", "timeline"}) {
    const Ran ran = RunProgram({"ir", verb, DumpPath("mlp_level1")});
    EXPECT_THAT(ran.out, ContainsRegex("final_actor_set[^ ]*ir +[0-9]+ actors?\n")) << verb;
  }
}

TEST(IrProgram, AnAnonymizedFolderHoldsTheSameGraphsWithoutDirectories) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.File("graphs/rank_0/om"));
  const std::string dump = testing::SmallDump("Add") + "# In file /home/ada/net.py:3, 1~9\n";
  testing::WriteFileOrDie(dir.File("graphs/00_a_0000.ir"), dump);
  testing::WriteFileOrDie(dir.File("graphs/rank_0/om/01_b_0001.ir"), dump);
  const std::string copy = dir.File("copy");
  const Ran ran = RunProgram({"ir", "anonymize", "--json", dir.File("graphs"), "-o", copy});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["files"], 2);
  EXPECT_EQ(ReadFileOrDie(copy + "/00_a_0000.ir"),
            testing::SmallDump("Add") + "# In file /source1/net.py:3, 1~9\n");
  EXPECT_EQ(ReadFileOrDie(copy + "/rank_0/om/01_b_0001.ir"), ReadFileOrDie(copy + "/00_a_0000.ir"));
  EXPECT_EQ(
      RunProgram({"ir", "diff", dir.File("graphs/00_a_0000.ir"), copy + "/00_a_0000.ir"}).exit_code,
      0);
}

TEST(IrProgram, AnonymizingRefusesWhatIsThere) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.File("copy"));
  const Ran ran = RunProgram({"ir", "anonymize", DumpPath("mlp_level1"), "-o", dir.File("copy")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("copy already exists"));
  EXPECT_TRUE(std::filesystem::is_empty(dir.File("copy")));
}

}  // namespace
}  // namespace sightline
