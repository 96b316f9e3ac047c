#include "sightline/watch/run_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <string>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/watch/growing_runs.h"

namespace sightline::watch {
namespace {

using sightline::testing::GrowingRuns;
using sightline::testing::IsOk;
using sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class RunWatchTest : public ::testing::Test {
 protected:
  GrowingRuns runs_;
};

TEST_F(RunWatchTest, EachCauseIsToldOnceForEachRun) {
  RunWatch watch = runs_.Watch({"nan"});
  runs_.Look(watch);
  for (const char* run : {"a", "b"}) runs_.Add(run, "loss", 1, kNan);
  EXPECT_THAT(runs_.Look(watch),
              ElementsAre("a nan: loss is nan at step 1", "b nan: loss is nan at step 1"));
  for (const char* run : {"a", "b"}) runs_.Add(run, "loss", 2, kNan);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
}

TEST_F(RunWatchTest, BothEventsOfACauseHaveItsId) {
  RunWatch watch = runs_.Watch({"last(loss) > 3"});
  runs_.Look(watch);
  runs_.Add("a", "loss", 1, 4);
  const auto began = runs_.Events(watch);
  runs_.Add("a", "loss", 2, 2);
  const auto over = runs_.Events(watch);
  runs_.Add("a", "loss", 3, 5);
  const auto again = runs_.Events(watch);
  ASSERT_EQ(began.size() + over.size() + again.size(), 3U);
  EXPECT_EQ(began[0].id.size(), 16U);
  EXPECT_FALSE(began[0].over);
  EXPECT_TRUE(over[0].over);
  EXPECT_EQ(began[0].id, over[0].id);
  EXPECT_NE(began[0].id, again[0].id);
  EXPECT_EQ(began[0].cause.text, "it is true; loss is 4 at step 1");
}

TEST_F(RunWatchTest, ARunThatEndedBeforeSaysNothing) {
  runs_.Add("old", "loss", 1, kNan);
  runs_.Write();
  runs_.clock.seconds += 3600;
  RunWatch watch = runs_.Watch({"nan", "ended", "last(loss) != 1"});
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  EXPECT_EQ(watch.runs(), 1U);
  EXPECT_EQ(watch.growing(), 0U);
}

TEST_F(RunWatchTest, OfARunThatIsRecordedAlreadyOnlyWhatHoldsNowCounts) {
  runs_.Add("was", "loss", 1, kNan);
  for (int step = 2; step < 40; ++step) runs_.Add("was", "loss", step, 1);
  for (int step = 2; step < 40; ++step) runs_.Add("is", "loss", step, 1);
  runs_.Add("is", "loss", 40, kNan);
  RunWatch watch = runs_.Watch({"nan"});
  EXPECT_THAT(runs_.Look(watch), ElementsAre("is nan: loss is nan at step 40"));
}

TEST_F(RunWatchTest, ARestartRepeatsNothingAndSaysWhatHappenedInBetween) {
  {
    RunWatch watch = runs_.Watch({"nan"});
    runs_.Look(watch);
    runs_.Add("a", "loss", 1, kNan);
    runs_.Add("b", "loss", 1, 1);
    EXPECT_EQ(runs_.Look(watch).size(), 1U);
  }
  runs_.Add("b", "loss", 2, kNan);
  runs_.Write();
  runs_.clock.seconds += 3600;  // Both have ended since.
  RunWatch watch = runs_.Watch({"nan"});
  EXPECT_THAT(runs_.Look(watch), ElementsAre("b nan: loss is nan at step 2"));
}

TEST_F(RunWatchTest, OnlyRunsThatTheQueryFitsAreWatched) {
  RunWatch watch = runs_.Watch({"nan"}, "name =~ '^good'");
  runs_.Look(watch);
  for (const char* run : {"good", "bad"}) runs_.Add(run, "loss", 1, kNan);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("good nan: loss is nan at step 1"));
}

TEST_F(RunWatchTest, TimeCountsFromTheGrowthThatTheWatchSaw) {
  runs_.Add("a", "loss", 1, 1);
  runs_.Write();
  runs_.clock.seconds += 50;
  RunWatch watch = runs_.Watch({"ended(60s)"});
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.clock.seconds += 58;
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.clock.seconds += 1;
  EXPECT_THAT(runs_.Look(watch),
              ElementsAre(HasSubstr("a ended(60s): its files did not grow for")));
}

TEST_F(RunWatchTest, ARunThatGrowsAgainHasNotEnded) {
  RunWatch watch = runs_.Watch({"ended(5m)"});
  runs_.Look(watch);
  runs_.Add("a", "loss", 7, 1);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.clock.seconds += 300;
  EXPECT_THAT(runs_.Look(watch),
              ElementsAre("a ended(5m): its files did not grow for 5 min: it ended, or hangs; its"
                          " last step is 7"));
  runs_.clock.seconds += 3600;
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 8, 1);
  EXPECT_THAT(runs_.Look(watch), ElementsAre(HasSubstr("over a ended(5m)")));
}

TEST_F(RunWatchTest, ARunThatIsRemovedIsForgotten) {
  RunWatch watch = runs_.Watch({"nan"});
  runs_.Look(watch);
  runs_.Add("a", "loss", 1, kNan);
  EXPECT_EQ(runs_.Look(watch).size(), 1U);
  EXPECT_THAT(runs_.files.Remove("root/a/events.out.tfevents.1.vm"), IsOk());
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  EXPECT_TRUE(runs_.state.open.empty());
  EXPECT_EQ(watch.runs(), 0U);
}

TEST_F(RunWatchTest, ARankThatLeavesTheOthersIsNamed) {
  RunWatch watch = runs_.Watch({"rank(time)"});
  runs_.Look(watch);
  const auto add = [&](int first, int count, double slow) {
    for (int step = first; step < first + count; ++step) {
      for (int rank = 0; rank < 8; ++rank) {
        runs_.Add("job", rank, "time", step,
                  (rank == 5 ? slow : 1) + 0.01 * ((rank * 7 + step) % 5));
      }
    }
  };
  add(0, 100, 1);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  add(100, 40, 1.5);
  const auto events = runs_.Events(watch);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_THAT(events[0].cause.text, HasSubstr("time of rank 5 is"));
  EXPECT_THAT(events[0].cause.text, HasSubstr("% above the median of the ranks, since step 100"));
  EXPECT_THAT(events[0].cause.ranks, ElementsAre(5));
  EXPECT_EQ(events[0].cause.step, 100);
  add(140, 40, 1);
  EXPECT_THAT(runs_.Look(watch), ElementsAre(HasSubstr("over job rank(time): time of rank 5")));
}

TEST_F(RunWatchTest, ADeviceThatIsIllOrDoesNotAnswerIsNamed) {
  RunWatch watch = runs_.Watch({"device"});
  runs_.Look(watch);
  const auto sample = [&](int step, bool answers, double health) {
    runs_.clock.seconds += 10;
    runs_.Add("a", "system/memory_bytes", step, 1e9);
    runs_.Add("a", "system/npu3/health", step, health);
    if (answers) runs_.Add("a", "system/gpu1/use_percent", step, 90);
    return runs_.Look(watch);
  };
  EXPECT_THAT(sample(1, true, 0), IsEmpty());
  EXPECT_THAT(sample(2, true, 2),
              ElementsAre("a device: npu3 of rank 0 reports the health 2 at step 2"));
  EXPECT_THAT(sample(3, false, 0), ElementsAre(HasSubstr("over a device: npu3")));
  EXPECT_THAT(sample(4, false, 0), IsEmpty());
  EXPECT_THAT(sample(5, false, 0),
              ElementsAre("a device: gpu1 of rank 0 does not answer any more, since step 2"));
  EXPECT_THAT(sample(6, true, 0), ElementsAre(HasSubstr("over a device: gpu1")));
}

TEST_F(RunWatchTest, ADeviceOfACommandIsWatchedToo) {
  RunWatch watch = runs_.Watch({"device"});
  runs_.Look(watch);
  const auto sample = [&](int step) {
    runs_.clock.seconds += 10;
    runs_.Add("a", "machine/memory_available_bytes", step, 1e9);
    if (step < 2) runs_.Add("a", "machine/gpu0/use_percent", step, 90);
    return runs_.Look(watch);
  };
  for (int step = 1; step < 4; ++step) EXPECT_THAT(sample(step), IsEmpty());
  EXPECT_THAT(sample(4),
              ElementsAre("a device: gpu0 of rank 0 does not answer any more, since step 1"));
}

TEST_F(RunWatchTest, TagsOfRulesThatNoRunHasAreKnown) {
  runs_.Add("a", "loss", 1, 1);
  RunWatch watch = runs_.Watch({"spike(los)", "plateau(loss, 3)", "nan"});
  runs_.Look(watch);
  EXPECT_THAT(watch.MissingTags(), UnorderedElementsAre("los"));
}

TEST_F(RunWatchTest, ARootThatCannotBeListedIsAnError) {
  WatchState state;
  RunWatch watch({.roots = {"nowhere"}, .rules = {*ParseRule("nan")}, .file_system = &runs_.files},
                 state);
  const auto events = watch.Poll();
  ASSERT_FALSE(events);
  EXPECT_THAT(std::string(events.error().message()), HasSubstr("nowhere"));
}

// Runs of ours, on a disk: their journal says whether their recorder lives.
class OurRunWatchTest : public ::testing::Test {
 protected:
  std::unique_ptr<Recorder> Record() {
    RecorderOptions options;
    options.writing.flush_interval = std::chrono::hours(1);
    return *Recorder::Open(dir_.File("run"), options);
  }
  RunWatch Watch(const std::vector<std::string>& rules) { return Watch(dir_.path(), rules); }
  RunWatch Watch(const std::string& root, const std::vector<std::string>& rules) {
    WatchOptions options{.roots = {root}, .rules = {}, .clock = &clock_};
    for (const std::string& text : rules) options.rules.push_back(*ParseRule(text));
    return RunWatch(std::move(options), state_);
  }
  std::vector<std::string> Look(RunWatch& watch) {
    std::vector<std::string> lines;
    const auto events = watch.Poll();
    EXPECT_THAT(events, IsOk());
    for (const WatchEvent& event : events.value_or(std::vector<WatchEvent>()))
      lines.push_back((event.over ? "over " : "") + event.rule + ": " + event.cause.text);
    return lines;
  }

  const TempDir dir_;
  sightline::testing::ManualClock clock_{Clock::System().WallSeconds()};
  WatchState state_;
};

TEST_F(OurRunWatchTest, AValueThatIsOnlyInTheJournalIsSeen) {
  const auto recorder = Record();
  RunWatch watch = Watch({"nan"});
  EXPECT_THAT(Look(watch), IsEmpty());
  recorder->AddScalar("loss", 3, kNan);
  EXPECT_THAT(Look(watch), ElementsAre("nan: loss is nan at step 3"));
}

TEST_F(OurRunWatchTest, ARunWhoseProgramLivesAndRecordsNothingIsStalled) {
  const auto recorder = Record();
  recorder->AddScalar("loss", 3, 1);
  RunWatch watch = Watch({"stalled(10m)", "killed", "finished", "ended"});
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 599;
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 1;
  EXPECT_THAT(Look(watch),
              ElementsAre("stalled(10m): nothing was recorded for 10 min, and the program"
                          " lives; its last step is 3"));
  recorder->AddScalar("loss", 4, 1);
  EXPECT_THAT(Look(watch), ElementsAre(HasSubstr("over stalled(10m)")));
}

// A thread beside the training records counters, and does not know that it hangs.
TEST_F(OurRunWatchTest, CountersAreNoSignThatATrainingGoesOn) {
  const auto recorder = Record();
  recorder->AddScalar("loss", 3, 1);
  recorder->AddScalar("system/cpu_percent", 3, 100);
  RunWatch watch = Watch({"stalled(10m)"});
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 300;
  recorder->AddScalar("system/cpu_percent", 3, 100);
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 300;
  recorder->AddScalar("system/cpu_percent", 3, 100);
  EXPECT_THAT(Look(watch), ElementsAre(HasSubstr("stalled(10m): nothing was recorded for 10 min")));
  recorder->AddScalar("loss", 4, 1);
  EXPECT_THAT(Look(watch), ElementsAre(HasSubstr("over stalled(10m)")));
}

// Such as a command that `sightline run` records and that prints what it does.
TEST_F(OurRunWatchTest, ARunOfCountersAloneGoesOnWithThem) {
  const auto recorder = Record();
  recorder->AddScalar("command/memory_bytes", 0, 1);
  RunWatch watch = Watch({"stalled(10m)"});
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 400;
  recorder->AddScalar("command/memory_bytes", 400, 1);
  EXPECT_THAT(Look(watch), IsEmpty());
  clock_.seconds += 400;
  EXPECT_THAT(Look(watch), IsEmpty());
}

TEST_F(OurRunWatchTest, ACauseOfARunThatIsARootIsToldOnceToo) {
  const auto recorder = Record();
  recorder->AddScalar("loss", 1, 4);
  RunWatch watch = Watch(dir_.File("run"), {"last(loss) > 3", "disk(99.9%)"});
  const auto events = watch.Poll();
  ASSERT_THAT(events, IsOk());
  ASSERT_FALSE(events->empty());
  EXPECT_EQ(events->front().run, "run");
  EXPECT_THAT(Look(watch), IsEmpty());
  recorder->AddScalar("loss", 2, 1);
  EXPECT_THAT(Look(watch), ElementsAre("over last(loss) > 3: it is true; loss is 4 at step 1"));
}

TEST_F(OurRunWatchTest, ARunThatIsClosedIsFinished) {
  auto recorder = Record();
  recorder->AddScalar("loss", 3, 1);
  RunWatch watch = Watch({"stalled(10m)", "killed", "finished", "ended(10m)"});
  EXPECT_THAT(Look(watch), IsEmpty());
  EXPECT_THAT(recorder->Close(), IsOk());
  EXPECT_THAT(Look(watch), ElementsAre("finished: the recorder was closed; its last step is 3"));
  clock_.seconds += 3600;
  EXPECT_THAT(Look(watch), IsEmpty());
}

}  // namespace
}  // namespace sightline::watch
