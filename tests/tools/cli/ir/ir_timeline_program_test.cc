// `sightline ir timeline`, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
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
using testing::DumpPath;
using ::testing::HasSubstr;
using testing::kDump;
using testing::Lines;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;

// Three passes, the second of which changed nothing.
std::string ThreePasses(const testing::TempDir& dir) {
  testing::WriteFileOrDie(dir.File("00_bootstrap_0000.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_0_a_0001.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_1_b_0002.ir"), testing::SmallDump("Add ReLU"));
  testing::WriteFileOrDie(dir.File("opt_pass_2_c_0003.ir"), testing::SmallDump("Add Tanh Cast"));
  return dir.path();
}

TEST(IrTimelineProgram, TimelineShowsWhatEachPassChanged) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "timeline", ThreePasses(dir)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("4 dumps, 1 changed something; 0 other files (0 B)"),
                             HasSubstr("\ncompilation 1: main\n"),
                             HasSubstr("  ... 2 unchanged, up to opt_pass_1_b_0002.ir"),
                             HasSubstr("4 (+1)  +1 Cast, -1 ReLU, +1 Tanh\n")));
  const Ran all = RunProgram({"ir", "timeline", "--all", dir.path()});
  EXPECT_THAT(all.out,
              HasSubstr("  opt_pass_0_a_0001.ir          1       1           3  nothing\n"));
}

TEST(IrTimelineProgram, TimelineShowsStepsOfOtherGraphsByThemselves) {
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
  const Ran ran = RunProgram({"ir", "timeline", dir.path()});
  EXPECT_EQ(ran.exit_code, 0);
  const std::size_t others = ran.out.find("\ngraphs of their own\n");
  ASSERT_NE(others, std::string::npos);
  EXPECT_THAT(ran.out.substr(0, others), HasSubstr("opt_pass_0_a_0003.ir"));
  EXPECT_THAT(ran.out.substr(0, others), Not(HasSubstr("resolve")));
  EXPECT_THAT(ran.out.substr(others), HasSubstr("graph @bprop_load_5\n  opt_substep_opt_resolve"));
  const auto lines = Lines(RunProgram({"ir", "timeline", "--json", dir.path()}).out);
  EXPECT_EQ(lines[1]["graph"], "bprop_load_5");
  EXPECT_FALSE(lines[1].contains("before"));
  EXPECT_EQ(lines[2]["before"], lines[1]["file"]);
  EXPECT_EQ(lines[3]["before"], lines[0]["file"]);
  EXPECT_FALSE(lines[3].contains("graph"));
}

TEST(IrTimelineProgram, TimelineInJsonHasALineADump) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "timeline", "--json", ThreePasses(dir)});
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
}

TEST(IrTimelineProgram, TimelineSaysThatAFolderHoldsAnotherRun) {
  const testing::TempDir dir;
  ThreePasses(dir);
  testing::WriteFileOrDie(dir.File("opt_pass_0_other_0001.ir"), testing::SmallDump("Add"));
  const Ran ran = RunProgram({"ir", "timeline", dir.path()});
  EXPECT_THAT(ran.out, HasSubstr("run 2: numbers occur again, so the folder holds another run"));
}

TEST(IrTimelineProgram, TimelineOfAFileIsAnError) {
  const Ran ran = RunProgram({"ir", "timeline", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("20_validate_0542.ir is not a folder"));
}

}  // namespace
}  // namespace sightline
