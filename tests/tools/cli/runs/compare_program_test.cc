#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;
using ::testing::StartsWith;

// Folders of a run each.
class CompareProgramTest : public ::testing::Test {
 protected:
  // The tags, at steps 1 to 20.
  std::string Run(const std::string& name, const std::vector<std::string>& tags,
                  const std::function<float(int)>& value_at) {
    std::string records;
    for (int step = 1; step <= 20; ++step) {
      for (const std::string& tag : tags)
        records += testing::TensorBoardScalar(tag, step, value_at(step));
    }
    std::filesystem::create_directories(dir_.File(name));
    testing::WriteFileOrDie(dir_.File(name) + "/" + testing::kTensorBoardName, records);
    return dir_.File(name);
  }
  std::string Ones(const std::string& name = "ones") {
    return Run(name, {"loss"}, [](int) { return 1.0F; });
  }
  std::string Leaving(const std::string& name = "leaving") {
    return Run(name, {"loss"}, [](int step) { return step < 8 ? 1.0F : 1.5F; });
  }

  testing::TempDir dir_;
};

TEST_F(CompareProgramTest, SaysThatRunsAreAlike) {
  const Ran ran = RunProgram({"compare", Ones(), Ones("again")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("Alike: B follows A within 2 % in 1 tag.\n"));
}

TEST_F(CompareProgramTest, NamesTheStepAtWhichARunLeaves) {
  const Ran ran = RunProgram({"compare", Ones(), Leaving()});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("Not alike: 1 of 1 tag leaves A by more than 2 %, loss first, at "
                                  "step 8.\n"));
  EXPECT_THAT(ran.out, HasSubstr("leaves at step 8 (1.5, reference 1)"));
  EXPECT_EQ(RunProgram({"compare", Ones(), Leaving(), "--tolerance", "50%"}).exit_code, 0);
  EXPECT_EQ(RunProgram({"compare", Ones(), Leaving(), "--tolerance", "0.49"}).exit_code, 1);
}

TEST_F(CompareProgramTest, ChoosesTags) {
  const std::string a = Run("a", {"loss", "lr"}, [](int) { return 1.0F; });
  const Ran all = RunProgram({"compare", a, Ones()});
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_THAT(all.out, HasSubstr("only in A: lr\n"));
  EXPECT_EQ(RunProgram({"compare", a, Ones(), "--tag", "^loss$"}).exit_code, 0);
  const Ran none = RunProgram({"compare", a, Ones(), "--tag", "nothing"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.out, StartsWith("Nothing to compare: no tag is common."));
}

TEST_F(CompareProgramTest, ShowsWhatDiffersInTheSettings) {
  const Ran ran = RunProgram(
      {"compare", CorpusPath("mindspore/lenet"), CorpusPath("mindspore/lenet_landscape")});
  EXPECT_THAT(ran.out, HasSubstr("what differs"));
  EXPECT_THAT(ran.out, HasSubstr("setting"));
}

TEST_F(CompareProgramTest, JsonHasEveryNumber) {
  const Ran ran = RunProgram({"compare", Ones(), Leaving(), "--json"});
  EXPECT_EQ(ran.exit_code, 1);
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["verdict"], "not alike");
  EXPECT_EQ(json["tolerance"], 0.02);
  const auto& rank = json["tags"][0]["ranks"][0];
  EXPECT_EQ(rank["leaves"], nlohmann::json::parse(R"({"step": 8, "a": 1.0, "b": 1.5})"));
  EXPECT_EQ(rank["joined"], 20);
  EXPECT_EQ(rank["beyond"], 13);
}

TEST_F(CompareProgramTest, MarkdownShowsNamesAsText) {
  const auto one = [](int) { return 1.0F; };
  const std::string run = Run("<b>", {"@a|b_c"}, one);
  const Ran ran = RunProgram({"compare", run, run, "--markdown"});
  EXPECT_THAT(ran.out, StartsWith("**Alike: "));
  EXPECT_THAT(ran.out, HasSubstr("| tag | verdict |"));
  EXPECT_THAT(ran.out, HasSubstr("| \\@a\\|b\\_c | alike |"));
  EXPECT_THAT(ran.out, Not(HasSubstr("<b>")));
}

TEST_F(CompareProgramTest, ComparesWhatTrainingsPrinted) {
  std::string megatron;
  std::string mindformers;
  for (int step = 1; step <= 20; ++step) {
    const std::string number = std::to_string(step);
    const std::string loss = step < 8 ? "2.000000" : "2.500000";
    megatron += " iteration " + number + "/ 20 | learning rate: 1.5E-01 | lm loss: 2.0E+00 |\n";
    mindformers += "INFO - { step:[ " + number + "/ 20], loss: " + loss + ", lr: 0.15 }\r\n";
  }
  testing::WriteFileOrDie(dir_.File("megatron.log"), megatron);
  std::filesystem::create_directories(dir_.File("run"));
  testing::WriteFileOrDie(dir_.File("run/console.log"), mindformers);
  const Ran ran = RunProgram({"compare", dir_.File("megatron.log"), dir_.File("run")});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out,
              StartsWith("Not alike: 1 of 2 tags leaves A by more than 2 %, lm loss first, "
                         "at step 8.\n"));
  EXPECT_THAT(ran.out, HasSubstr("lm loss (loss in B)"));
  EXPECT_THAT(ran.out, HasSubstr("learning rate (learning-rate in B)  alike"));
}

TEST_F(CompareProgramTest, OfACommandThatRecordedNothingTheConsoleIsCompared) {
  testing::WriteFileOrDie(dir_.File("lines"),
                          " iteration 1/ 2 | lm loss: 2.0E+00 |\n"
                          " iteration 2/ 2 | lm loss: 2.0E+00 |\n");
  const std::string folder = dir_.File("run");
  const Ran recorded = RunProgram({"run", "--dir", folder, "--", "cat", dir_.File("lines")});
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  const Ran ran = RunProgram({"compare", folder, folder});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("lm loss"));
  EXPECT_THAT(ran.out, Not(HasSubstr("command/")));
}

TEST_F(CompareProgramTest, FindsLinesByAPattern) {
  testing::WriteFileOrDie(dir_.File("a.log"), "1 2\n2 2\n3 2\n");
  testing::WriteFileOrDie(
      dir_.File("trainer_state.json"),
      R"({"log_history": [{"step": 1, "loss": 2}, {"step": 2, "loss": 2}, {"step": 3, "loss": 2}]})");
  const Ran ran = RunProgram({"compare", dir_.File("a.log"), dir_.File("trainer_state.json"),
                              "--pattern", R"(^(?P<step>\d+) (?P<loss>\d+))"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran without = RunProgram({"compare", dir_.File("a.log"), dir_.File("trainer_state.json")});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("no line of MindFormers or Megatron is in it; --pattern"));
}

TEST_F(CompareProgramTest, RunsOfOtherSeedsTellTheNoise) {
  const auto seed = [this](int number) {
    return Run(std::to_string(number), {"loss"}, [number](int step) {
      return 2.0F + 0.1F * static_cast<float>((step * 7 + number * number * 5) % 11);
    });
  };
  const std::vector<std::string> base = {"compare", seed(1), seed(2)};
  EXPECT_EQ(RunProgram(base).exit_code, 1);
  std::vector<std::string> like = base;
  like.insert(like.end(), {"--like", seed(3), seed(4), seed(5)});
  const Ran ran = RunProgram(like);
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
  EXPECT_THAT(ran.out,
              StartsWith("Alike: B follows A within 2 % in 0 of 1 tag, and within the noise "
                         "in all.\n"));
  EXPECT_THAT(ran.out, HasSubstr("and 3 runs like it\n"));
  std::vector<std::string> few = base;
  few.insert(few.end(), {"--like", seed(3), seed(4)});
  EXPECT_THAT(RunProgram(few).err,
              HasSubstr("--like: 3 or more runs are needed to know the noise, not 2"));
}

TEST_F(CompareProgramTest, SaysWhatCannotBeCompared) {
  const std::string run = Ones();
  Leaving();
  const auto refused = [&](const std::vector<std::string>& rest) {
    std::vector<std::string> arguments = {"compare", run};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const Ran ran = RunProgram(arguments);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refused({dir_.path()}), HasSubstr("holds 2 runs: name one of them (leaving, ones)"));
  EXPECT_THAT(refused({dir_.File("none")}), HasSubstr("none"));
  EXPECT_THAT(refused({run, "--tolerance", "-1%"}), HasSubstr("--tolerance -1%: give a share"));
  EXPECT_THAT(refused({run, "--tolerance", "nan"}), HasSubstr("--tolerance nan: give a share"));
  EXPECT_THAT(refused({run, "--tag", "("}), HasSubstr("not a regular expression of RE2"));
}

}  // namespace
}  // namespace sightline
