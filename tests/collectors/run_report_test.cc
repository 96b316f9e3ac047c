#include "sightline/collectors/run_report.h"

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

TEST(StartLine, SaysHowOftenWhereAndHowToLook) {
  EXPECT_EQ(StartLine("./run", {}),
            "recording step 1 and every 10th to ./run; look with: sightline serve ./run");
  EXPECT_EQ(StartLine("./run", {.collect_freq = 1, .formats = {Format::kTensorBoard}}),
            "recording every step to ./run; look with: sightline serve ./run or tensorboard "
            "--logdir ./run");
}

TEST(StartLine, CountsAsPeopleDo) {
  const auto every = [](std::int64_t freq) {
    const std::string line = StartLine("./run", {.collect_freq = freq});
    return line.substr(0, line.find(" to "));
  };
  EXPECT_EQ(every(2), "recording step 1 and every 2nd");
  EXPECT_EQ(every(3), "recording step 1 and every 3rd");
  EXPECT_EQ(every(12), "recording step 1 and every 12th");
  EXPECT_EQ(every(111), "recording step 1 and every 111th");
  EXPECT_EQ(every(121), "recording step 1 and every 121st");
}

TEST(StartLine, SaysWhatIsContinued) {
  EXPECT_EQ(StartLine("./run", {.collect_freq = 1, .resume_from_step = 501}, "0123"),
            "recording every step to ./run, resumed from step 501 of session 0123; look with: "
            "sightline serve ./run");
  EXPECT_EQ(StartLine("./run", {.collect_freq = 1, .resume_from_step = 501}, ""),
            "recording every step to ./run, resumed from step 501, though no earlier session of "
            "this rank is there; look with: sightline serve ./run");
}

class EndLineTest : public ::testing::Test {
 protected:
  EndLineTest() {
    stats.accepted_values = 1234;
    stats.accepted_events = 250;
    stats.written_bytes = 1'234'567;
    stats.files = {"a", "b", "c"};
  }
  std::string Line() const { return EndLine("./run", stats, closed, problem, first_nonfinite); }

  RecorderStats stats;
  Status closed;
  Status problem;
  std::optional<NonFinite> first_nonfinite;
  const std::string good = "recorded 1234 values in 250 events (1.2 MB in 3 files) in ./run";
};

TEST_F(EndLineTest, SaysWhatWasRecorded) { EXPECT_EQ(Line(), good); }

TEST_F(EndLineTest, CountsOne) {
  stats = {};
  stats.accepted_values = stats.accepted_events = 1;
  stats.files = {"a"};
  EXPECT_EQ(Line(), "recorded 1 value in 1 event (0 B in 1 file) in ./run");
}

TEST_F(EndLineTest, SaysWhatWasNot) {
  stats.dropped_values = 1;
  stats.invalid_values = 2;
  stats.lost_values = 3;
  EXPECT_EQ(Line(), good + "; dropped 1 value; refused 2 values; lost 3 values");
}

TEST_F(EndLineTest, DoesNotCountAsRecordedWhatCameAfterAFullFile) {
  stats.left_out_values = 1200;
  EXPECT_EQ(Line(),
            "recorded 34 values (1.2 MB in 3 files) in ./run; left out 1200 values "
            "that came after max_file_size");
}

TEST_F(EndLineTest, NamesTheFirstNonFiniteValue) {
  first_nonfinite = NonFinite{"loss/auto", 17, -1.0 / 0.0};
  EXPECT_EQ(Line(), good + "; first not finite: loss/auto is -inf at step 17");
}

TEST_F(EndLineTest, NamesTheRecordersFirstErrorBeforeTheOthersAndHowItEnded) {
  closed = Status(StatusCode::kIoError, "close");
  EXPECT_EQ(Line(), good + "; first error: " + closed.ToString());
  problem = Status(StatusCode::kInvalidArgument, "graph");
  const std::string at_the_end = "; at the end: " + closed.ToString();
  EXPECT_EQ(Line(), good + "; first error: " + problem.ToString() + at_the_end);
  stats.first_error = Status(StatusCode::kResourceExhausted, "no space");
  EXPECT_EQ(Line(), good + "; first error: " + stats.first_error.ToString() + at_the_end);
}

TEST_F(EndLineTest, SaysWhereTheValuesAreThatCouldNotBeWritten) {
  stats.first_error = Status(StatusCode::kResourceExhausted, "no space");
  closed = Status(StatusCode::kResourceExhausted, "no space; the rest is in the journal");
  EXPECT_EQ(Line(), good + "; first error: " + closed.ToString());
}

TEST_F(EndLineTest, CountsTheStepsThatTheBudgetThinned) {
  EXPECT_EQ(EndLine("./run", stats, closed, problem, first_nonfinite, 1),
            good + "; left out histograms, images and tensors of 1 step, for max_overhead");
}

TEST(RateLine, SaysHowOftenFromWhereAndWhy) {
  EXPECT_EQ(RateLine(120, {.every = 4, .lowered = true, .overhead = 0.0321}, 0.01),
            "after step 120 histograms, images and tensors are recorded at one in 4 of their "
            "steps: recording took 3.2 % of the time, more than max_overhead = 1 %");
  EXPECT_EQ(RateLine(900, {.every = 1, .lowered = false, .overhead = 0.00123}, 0.01),
            "after step 900 histograms, images and tensors are recorded at all of their steps: "
            "recording took 0.12 % of the time, well within max_overhead = 1 %");
}

TEST(SayOnStandardErrorTest, WritesTheLineAfterTheNameOfTheProgram) {
  ::testing::internal::CaptureStderr();
  SayOnStandardError("recording to {} at 100 %");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "sightline: recording to {} at 100 %\n");
}

}  // namespace
}  // namespace sightline
