// The phases of steps as scalars.
#include "sightline/collectors/collect/step_phases.h"

#include "sightline/tests/collectors/summary_monitor_fixture.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;

class StepPhasesTest : public testing::SummaryMonitorTest {
 protected:
  void Pass(std::string_view name, double seconds) {
    const auto scope = phases.Measure(name);
    clock.seconds += seconds;
  }
  void EndStep(std::int64_t step) {
    Monitor().EndStep(step, [&](StepInfo& info) { phases.AddTo(info); });
  }

  StepPhases phases{1, clock};
};

TEST_F(StepPhasesTest, ArePartsOfAStep) {
  CollectOnly(Nothing());
  Pass("data_wait", 0.25);
  Pass("forward", 0.5);
  EndStep(1);
  EXPECT_THAT(Recorded(), ElementsAre("1 phase/data_wait=0.25", "1 phase/forward=0.5"));
}

TEST_F(StepPhasesTest, OfStepsThatAreNotRecordedCountInTheMeanOfTheNextThatIs) {
  CollectOnly(Nothing());
  options.collect_freq = 4;
  for (std::int64_t step = 1; step <= 5; ++step) {
    Pass("forward", step == 1 ? 2 : 0.5);
    Pass("forward", 0.5);  // A second micro batch.
    EndStep(step);
  }
  EXPECT_THAT(Recorded(), ElementsAre("1 phase/forward=2.5", "4 phase/forward=1"));
}

TEST_F(StepPhasesTest, OfATrainingThatIsResumedCountFromItsFirstStep) {
  CollectOnly(Nothing());
  options.collect_freq = 10;
  StepPhases resumed(9, clock);
  resumed.Add("forward", 3'000'000'000);
  Monitor().EndStep(10, [&](StepInfo& info) { resumed.AddTo(info); });
  EXPECT_THAT(Recorded(), ElementsAre("10 phase/forward=1.5"));
}

TEST_F(StepPhasesTest, OfATrainingThatWentBackAreThoseOfItsLastStep) {
  CollectOnly(Nothing());
  for (const std::int64_t step : {5, 2}) {
    Pass("forward", 5);
    EndStep(step);
  }
  EXPECT_THAT(Recorded(), ElementsAre("5 phase/forward=1", "2 phase/forward=5"));
}

}  // namespace
}  // namespace sightline
