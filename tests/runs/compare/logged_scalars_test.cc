// Scalars of what a training printed. The lines have the forms of MindFormers 2.1 and Megatron-LM.
#include "sightline/runs/compare/logged_scalars.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "TAG step=value step=value"
std::vector<std::string> LinesOf(const Comparand& side) {
  std::vector<std::string> lines;
  for (const ComparandTag& tag : side.tags) {
    std::string& line = lines.emplace_back(tag.tag);
    const Series& series = *tag.ranks.at(0);
    for (const std::size_t i : series.LatestPerStep()) {
      line += " " + std::to_string(series.steps()[i]) + "=";
      std::string value = std::to_string(series.values()[i]);
      if (value.find('.') != value.npos) value.erase(value.find_last_not_of('0') + 1);
      line += value.ends_with('.') ? value.substr(0, value.size() - 1) : value;
    }
  }
  return lines;
}

std::vector<std::string> Read(const std::string& text, const std::string& pattern = "") {
  auto scalars = LoggedScalars::Make(pattern);
  EXPECT_TRUE(scalars) << scalars.error().message();
  scalars->Read(text);
  return LinesOf(scalars->Finish("log"));
}

TEST(LoggedScalarsTest, ReadsMindFormersInGraphMode) {
  EXPECT_THAT(
      Read(
          "2026-11-01 10:00:00,123 - mindformers[callback.py:770] - INFO - { Epoch:[  2/  3], "
          "step:[   10/  100], loss: 5.123456, lm_loss: 4.500000, per_step_time: 812ms, lr: 1e-05, "
          "overflow cond: False, loss_scale: 1.0, global_norm: [1.25], "
          "train_throughput_per_npu: 151.250T\n"
          "   10.0% |█████     | 1.23 samples/s/p  3:12:01 }\n"),
      ElementsAre("grad-norm 110=1.25", "iteration-time 110=812", "learning-rate 110=0.00001",
                  "lm_loss 110=4.5", "loss 110=5.123456", "loss_scale 110=1",
                  "train_throughput_per_npu 110=151.25"));
  EXPECT_THAT(
      Read("{ Epoch:[  1/  1], step:[    3/   10], loss:[2.500000/3.000000], lr: None, x\n"),
      ElementsAre("loss 3=2.5"));
}

TEST(LoggedScalarsTest, ReadsMindFormersInPyNativeMode) {
  EXPECT_THAT(
      Read("INFO - { step:[    7/ 1000], consumed_samples: 112, loss:   nan, lr: 1.000000e-01, "
           "grad_norm: NaN, throughput: 12.50T }\n"),
      ElementsAre("consumed_samples 7=112", "grad_norm 7=nan", "learning-rate 7=0.1", "loss 7=nan",
                  "throughput 7=12.5"));
  EXPECT_THAT(
      Read("{ step:[    7/ 1000], loss: N/A (non-last PP stage, refer to last stage for real "
           "loss), per_step_time:     12ms }\n"),
      ElementsAre("iteration-time 7=12"));
}

TEST(LoggedScalarsTest, ReadsMegatron) {
  EXPECT_THAT(
      Read(" [2026-11-01 10:00:00] iteration       10/    1000 | consumed samples:          160 | "
           "elapsed time per iteration (ms): 1234.5 | learning rate: 1.5E-01 | lm loss: "
           "1.234500E+01 | number of nan iterations:   0 |\n"),
      ElementsAre("consumed samples 10=160", "elapsed time per iteration (ms) 10=1234.5",
                  "learning rate 10=0.15", "lm loss 10=12.345", "number of nan iterations 10=0"));
}

TEST(LoggedScalarsTest, PiecesMayEndAnywhere) {
  const std::string_view text =
      "iteration 1/ 9 | lm loss: 2.5 |\r\n\x1b[32miteration 2/ 9 |\x1b[0m lm loss: 3.5 |\n"
      "iteration 1/ 9 | lm loss: 1.5 |";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    auto scalars = LoggedScalars::Make("");
    ASSERT_TRUE(scalars);
    scalars->Read(text.substr(0, cut));
    scalars->Read(text.substr(cut));
    EXPECT_THAT(LinesOf(scalars->Finish("log")), ElementsAre("lm loss 1=1.5 2=3.5")) << cut;
  }
}

TEST(LoggedScalarsTest, FindsTheUsersOwnLines) {
  EXPECT_THAT(Read("at 5: loss=0.5 (acc 90%)\nat x: loss=1\nat 6: loss=0.25 (acc 91%)\n",
                   R"(at (?P<step>\S+): loss=(?P<loss>[\d.]+) \(acc (?P<acc>\d+)%\))"),
              ElementsAre("acc 5=90 6=91", "loss 5=0.5 6=0.25"));
  EXPECT_THAT(Read("s1 a2\ns2\n", R"(s(?P<step>\d+)(?: a(?P<a>\d+))?)"), ElementsAre("a 1=2"));
  EXPECT_THAT(Read("iteration 1/ 9 | lm loss: 2.5 |\n", "(?P<step>x)(?P<a>y)"),
              ElementsAre("lm loss 1=2.5"))
      << "other lines are read as without it";
}

TEST(LoggedScalarsTest, RefusesAPatternThatFindsNothing) {
  const auto error = [](const char* pattern) {
    const auto made = LoggedScalars::Make(pattern);
    return std::string(made ? "none" : made.error().message());
  };
  EXPECT_THAT(error("("), HasSubstr("--pattern (: not a regular expression of RE2"));
  EXPECT_THAT(error("(?P<loss>x)"), HasSubstr("needs the group (?P<step>...)"));
  EXPECT_THAT(error("(?P<step>x)"), HasSubstr("one for each tag"));
}

TEST(LoggedScalarsTest, OtherTextHasNoScalars) {
  EXPECT_THAT(Read("step:[x/1], loss: 1\niteration 1/ 2, loss: 3\nstep:[1/2], loss\n\n"),
              IsEmpty());
  EXPECT_THAT(Read("step:[99999999999/1], loss: 1\n"), IsEmpty()) << "no number of a step";
  EXPECT_THAT(Read("step:[1/2], time: 3:12:01, : 5\n"), IsEmpty());
}

TEST(LoggedScalarsTest, LinesAndNamesOfAnyLengthAreLeftOut) {
  const std::string good = "iteration 1/ 9 | a: 1 |\n";
  const std::string blanks(LoggedScalars::kLongestLine, ' ');
  EXPECT_THAT(Read("iteration 2/ 9 | a: 1 |" + blanks + "\n" + good), ElementsAre("a 1=1"));
  EXPECT_THAT(Read("iteration 2/ 9 | " + std::string(101, 'x') + ": 1 |\n"), IsEmpty());
}

TEST(TrainerStateTest, ReadsTheHistory) {
  const auto side = ReadTrainerState(
      R"({"best_metric": null, "log_history": [
        {"epoch": 0.1, "grad_norm": NaN, "learning_rate": 0.5, "loss": 2.5, "step": 10},
        {"epoch": 0.2, "loss": -Infinity, "step": 20},
        {"epoch": 0.2, "eval_loss": 2, "eval_note": "5", "step": 20}, {"loss": 3}, 7]})",
      "state");
  ASSERT_TRUE(side) << side.error().message();
  EXPECT_THAT(LinesOf(*side), ElementsAre("eval_loss 20=2", "grad_norm 10=nan",
                                          "learning_rate 10=0.5", "loss 10=2.5 20=-inf"));
}

TEST(TrainerStateTest, RefusesOtherFiles) {
  for (const char* text : {"", "[]", "{}", R"({"log_history": 1})", "{", "7"})
    EXPECT_FALSE(ReadTrainerState(text, "state")) << text;
}

}  // namespace
}  // namespace sightline
