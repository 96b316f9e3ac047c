// sightline plan, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::ReadFileOrDie;

class PlanTest : public ::testing::Test {
 protected:
  static Ran Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plan");
    return testing::RunProgram(arguments);
  }
  static json Plan(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Ran ran = Run(std::move(arguments));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return json::parse(ran.out);
  }
  std::string Config(const std::string& lines) {
    testing::WriteFileOrDie(dir_.File("c.yaml"), "callbacks:\n  - type: SummaryMonitor\n" + lines);
    return dir_.File("c.yaml");
  }

  testing::TempDir dir_;
};

TEST_F(PlanTest, GivesTheStepsThatMindSporeRecorded) {
  const json settings =
      json::parse(ReadFileOrDie(CorpusPath("mindspore/rules/recorded_steps.json")));
  ASSERT_EQ(settings.size(), 14);
  for (const json& setting : settings) {
    std::vector<std::string> arguments = {"--epochs",       setting["epochs"].dump(),
                                          "--steps",        setting["steps_per_epoch"].dump(),
                                          "--collect-freq", setting["collect_freq"].dump()};
    if (!setting["collect_tensor_freq"].is_null()) {
      arguments.insert(arguments.end(),
                       {"--collect-tensor-freq", setting["collect_tensor_freq"].dump()});
    }
    const json plan = Plan(arguments);
    const json& recorded = setting["recorded"];
    EXPECT_EQ(plan["kinds"]["tensor"]["steps"], recorded["tensor:t"]) << arguments[1];
    EXPECT_EQ(plan["kinds"]["scalar"]["steps"], recorded["scalar_value:s"]) << arguments[1];
    EXPECT_EQ(plan["kinds"]["histogram"]["steps"], recorded["histogram:h"]) << arguments[1];
  }
}

TEST_F(PlanTest, PrintsATableForPeople) {
  const Ran ran = Run({"--epochs", "1", "--steps", "600", "--tensor", "64x1024"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("600 steps in all"), HasSubstr("scalar           61"),
                    HasSubstr("1, 31, 62, 93, ..."), HasSubstr("5.2 MB"), HasSubstr("--image")));
}

TEST_F(PlanTest, InSinkModeItCountsEpochs) {
  const json plan = Plan({"--epochs", "12", "--steps", "4", "--sink", "--collect-freq", "5"});
  EXPECT_EQ(plan["total"], 12);
  EXPECT_EQ(plan["unit"], "epoch");
  EXPECT_EQ(plan["kinds"]["scalar"]["steps"], (json{1, 5, 10}));
}

TEST_F(PlanTest, TakesTheRulesOfAConfigurationAndThenThoseOfTheCommandLine) {
  const std::string config = Config("    collect_freq: 4\n    collect_tensor_freq: 3\n");
  const json plan = Plan({config, "--epochs", "1", "--steps", "9"});
  EXPECT_EQ(plan["kinds"]["scalar"]["steps"], (json{1, 4, 8}));
  EXPECT_EQ(plan["kinds"]["tensor"]["steps"], (json{1, 3, 6, 9}));
  const json other = Plan({config, "--epochs", "1", "--steps", "9", "--collect-freq", "5"});
  EXPECT_EQ(other["kinds"]["scalar"]["steps"], (json{1, 5}));
}

TEST_F(PlanTest, ReadsMergeKeysAndRefusesAKeyThatIsGivenTwice) {
  const std::string merged =
      Config("    <<: &base {collect_freq: 4}\nmodel: {<<: *base, layers: 3}\n");
  EXPECT_EQ(Plan({merged, "--epochs", "1", "--steps", "9"})["kinds"]["scalar"]["steps"],
            (json{1, 4, 8}));
  const Ran twice = Run({Config("callbacks: []\n"), "--epochs", "1", "--steps", "9"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("c.yaml: callbacks is given twice, in lines 1 and 3"));
}

TEST_F(PlanTest, ATrainingThatGoesOnIsPlannedFromItsFirstStepOn) {
  const std::string config = Config(
      "    collect_freq: 50\n    resume_from_step: 501\n"
      "    frequencies: [{tag: 'grad.*', every_steps: 40, first_steps: 3}]\n");
  const json plan = Plan({config, "--epochs", "1", "--steps", "600"});
  EXPECT_EQ(plan["total"], 600);
  EXPECT_EQ(plan["resume_from_step"], 501);
  EXPECT_EQ(plan["kinds"]["scalar"]["steps"], (json{550, 600}));
  EXPECT_EQ(plan["kinds"]["scalar"]["count"], 2);
  EXPECT_EQ(plan["tags"][0]["steps"], (json{520, 560, 600}));
  EXPECT_THAT(
      Run({config, "--epochs", "1", "--steps", "600"}).out,
      AllOf(HasSubstr("600 steps in all, recorded from step 501 on"), HasSubstr("550, 600 ")));
  EXPECT_EQ(Plan({config, "--epochs", "1", "--steps", "9"})["kinds"]["scalar"]["count"], 0);
  EXPECT_FALSE(Plan({"--epochs", "1", "--steps", "9"}).contains("resume_from_step"));
}

TEST_F(PlanTest, AFrequencyOfOneOverALongRunIsCountedWithoutAList) {
  const json plan = Plan({"--epochs", "1000000", "--steps", "1000000", "--collect-freq", "1"});
  EXPECT_EQ(plan["kinds"]["scalar"]["count"], 1'000'000'000'000);
  EXPECT_TRUE(plan["kinds"]["scalar"]["steps"].is_null());
  EXPECT_EQ(plan["kinds"]["tensor"]["count"], 20);
}

TEST_F(PlanTest, WrongInputIsNamedAndExitCode2) {
  const auto fault = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--epochs", "1", "--steps", "9"});
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.exit_code, 2);
    return ran.err;
  };
  EXPECT_THAT(fault({Config("    collect_freq: 0\n")}),
              HasSubstr("c.yaml: line 3: collect_freq is 0"));
  EXPECT_THAT(fault({"no.yaml"}), HasSubstr("no.yaml"));
  EXPECT_THAT(fault({"--collect-freq", "0"}), HasSubstr("collect_freq is 0"));
  EXPECT_THAT(fault({"--tensor", "4x"}), HasSubstr("--tensor 4x: not a shape such as 64x1024"));
  EXPECT_THAT(fault({"--image", "float99:4"}), HasSubstr("--image float99:4: not a shape"));
  EXPECT_THAT(fault({"--ranks", "0"}), HasSubstr("at least 1"));
  EXPECT_THAT(Run({"--epochs", "1"}).err, HasSubstr("--steps is required"));
  EXPECT_THAT(Run({"--epochs", "x", "--steps", "1"}).err, HasSubstr("--epochs"));
}

TEST_F(PlanTest, SaysThatItCannotForeseeAnOverheadBudget) {
  const std::string config = Config("    max_overhead: 1%\n");
  EXPECT_EQ(Plan({config, "--epochs", "1", "--steps", "100"})["max_overhead"], 0.01);
  EXPECT_THAT(Run({config, "--epochs", "1", "--steps", "100"}).out,
              HasSubstr("Histograms, images and tensors may be fewer, to keep max_overhead = 1 %: "
                        "that cannot be known before the run."));
  EXPECT_FALSE(Plan({"--epochs", "1", "--steps", "100"}).contains("max_overhead"));
}

TEST_F(PlanTest, ShapesThatNoDiskHoldsAreSaidToBe) {
  const Ran ran = Run({"--epochs", "1", "--steps", "9", "--tensor", "1000000000000x1000000000000"});
  EXPECT_THAT(ran.out, HasSubstr("Disk: about 1000000.0 TB or more"));
}

TEST_F(PlanTest, WhatIsSwitchedOffTakesNothing) {
  const Ran ran = Run({Config("    collect_specified_data: {collect_input_data: False}\n"),
                       "--epochs", "1", "--steps", "20", "--tensor", "4x8"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("0 B"), Not(HasSubstr("?"))));
}

}  // namespace
}  // namespace sightline
