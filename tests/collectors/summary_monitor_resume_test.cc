// A training that is resumed in its directory.
#include <algorithm>
#include <cstdint>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/collectors/summary_monitor_fixture.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A training of 40 steps that is resumed from its step 21.
class ResumedMonitorTest : public testing::SummaryMonitorTest {
 protected:
  ResumedMonitorTest() {
    options.collect_freq = 10;
    CollectOnly(OnlyMetrics());
    Train(35);
    EXPECT_THAT(Monitor().End(), IsOk());
    monitor.reset();
    options.resume_from_step = 21;
  }

  void TrainFrom(std::int64_t first, std::int64_t last) {
    for (std::int64_t step = first; step <= last; ++step)
      Monitor().EndStep(step, [&](StepInfo& info) { info.loss = 100; });
  }
};

TEST_F(ResumedMonitorTest, GoesOnBehindWhatIsThereAndByTheSameRules) {
  TrainFrom(21, 40);
  EXPECT_THAT(said, Contains(AllOf(HasSubstr("resumed from step 21 of session"))));
  // Step 21 is no first step.
  EXPECT_THAT(Recorded(),
              ElementsAre("1 loss/auto=1", "10 loss/auto=0.1", StartsWith("20 loss"),
                          StartsWith("30 loss/auto=0.03"), "30 loss/auto=100", "40 loss/auto=100"));
  EXPECT_THAT(ReadRun(dir.path()).mindspore, SizeIs(2));
}

TEST_F(ResumedMonitorTest, AStepBeforeIsRecordedAndSaidOnce) {
  TrainFrom(1, 10);
  EXPECT_THAT(Monitor().End(),
              IsStatus(StatusCode::kInvalidArgument,
                       "step 1 ended, though resume_from_step is 21: what the run has recorded of "
                       "such steps before counts as well; count steps from 21 on, or leave "
                       "resume_from_step out"));
  EXPECT_EQ(std::count_if(said.begin(), said.end(),
                          [](const auto& line) { return line.starts_with("step "); }),
            1);
  const auto values = RecordedRun::Values(ReadRun(dir.path()).mindspore);
  EXPECT_THAT(values, Contains("1 loss/auto=100"));
}

}  // namespace
}  // namespace sightline
