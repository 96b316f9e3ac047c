#include "sightline/profiler/record/span.h"

#include <gmock/gmock.h>

#include <thread>

#include "sightline/profiler/record/data_queue.h"
#include "sightline/tests/profiler/record/record_fixture.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::ReadSlice;
using testing::ReadTrace;
using ::testing::UnorderedElementsAre;

using SpanTest = RecordTest;

void Forward() { SIGHTLINE_SPAN("forward"); }

TEST_F(SpanTest, AScopeIsASpanWithinThatAroundIt) {
  const ReadTrace trace = Recorded([] {
    SIGHTLINE_SPAN("training");
    Forward();
  });
  const ReadSlice& training = trace.Only("training");
  const ReadSlice& forward = trace.Only("forward");
  EXPECT_EQ(forward.parent, "training");
  EXPECT_EQ(training.parent, "");
  EXPECT_LE(training.begin, forward.begin);
  EXPECT_LE(forward.begin, forward.end);
  EXPECT_LE(forward.end, training.end);
  EXPECT_EQ(stats_.events, 4U);
  EXPECT_EQ(stats_.dropped, 0U);
  EXPECT_EQ(stats_.threads, 1U);
}

TEST_F(SpanTest, TimesAreThoseOfTheMonotonicClock) {
  constexpr std::int64_t kTolerance = 1'000'000;
  const std::int64_t before = NowNanos();
  const ReadTrace trace = Recorded(Forward);
  const std::int64_t after = NowNanos();
  EXPECT_GE(trace.Only("forward").begin, before - kTolerance);
  EXPECT_LE(trace.Only("forward").end, after + kTolerance);
}

TEST_F(SpanTest, TheFileSaysWhichWallTimeTheClockHas) {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t expected =
      std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() - NowNanos();
  const ReadTrace trace = Recorded([] {});
  constexpr std::int64_t kMinute = 60'000'000'000;  // The wall clock may be set meanwhile.
  EXPECT_NEAR(static_cast<double>(trace.wall_minus_monotonic), static_cast<double>(expected),
              static_cast<double>(kMinute));
}

TEST_F(SpanTest, SpansBeginAndEndByHand) {
  const ReadTrace trace = Recorded([] {
    const Session outer = BeginSpan(InternName("outer"));
    const Session inner = BeginSpan(InternName("inner"), Category::kCommunication);
    EndSpan(inner);
    EndSpan(outer);
    EndSpan(outer);  // One too many: ignored.
  });
  EXPECT_EQ(trace.Only("inner").parent, "outer");
  EXPECT_EQ(trace.Only("inner").category, "communication");
  EXPECT_EQ(trace.Only("outer").category, "");
  EXPECT_EQ(trace.ends_without_begin, 0U);
}

TEST_F(SpanTest, NothingIsRecordedWithoutAProfile) {
  Forward();
  RecordCounter(InternName("loss"), 1);
  EXPECT_EQ(BeginSpan(InternName("x")), 0U);
  const ReadTrace trace = Recorded([] {});
  EXPECT_THAT(trace.slices, IsEmpty());
  EXPECT_THAT(trace.counters, IsEmpty());
}

TEST_F(SpanTest, ASpanBelongsToTheProfileInWhichItBegan) {
  const Session before = BeginSpan(InternName("before"));
  Session first = 0;
  const ReadTrace trace = Recorded([&] {
    EndSpan(before);
    first = BeginSpan(InternName("open"));
  });
  EXPECT_EQ(trace.Only("open").end, -1);
  const ReadTrace next = Recorded([&] {
    SIGHTLINE_SPAN("next");
    EndSpan(first);
    Forward();
  });
  EXPECT_EQ(next.Only("forward").parent, "next");
  EXPECT_EQ(next.Count("open"), 0U);
}

TEST_F(SpanTest, ANameStandsOnceInTheFile) {
  const ReadTrace trace = Recorded([] {
    for (int i = 0; i < 1000; ++i) Forward();
  });
  EXPECT_EQ(trace.Count("forward"), 1000U);
  EXPECT_EQ(trace.interned.at("forward"), 1);
}

TEST_F(SpanTest, ASpanTakesFortyBytesAtMost) {
  ProfileStats empty;
  Recorded([] {});
  empty = stats_;
  constexpr std::uint64_t kSpans = 10'000;
  const ReadTrace trace = Recorded([] {
    for (std::uint64_t i = 0; i < kSpans; ++i) Forward();
  });
  EXPECT_EQ(trace.Count("forward"), kSpans);
  EXPECT_LT(stats_.bytes - empty.bytes, 40 * kSpans);
}

TEST_F(SpanTest, InstantsAndCounters) {
  const ReadTrace trace = Recorded([] {
    RecordInstant(InternName("checkpoint"), Category::kData);
    RecordCounter(InternName("loss"), 0.5);
    RecordCounter(InternName("loss"), 0.25);
  });
  EXPECT_TRUE(trace.Only("checkpoint").instant);
  EXPECT_EQ(trace.Only("checkpoint").category, "data");
  EXPECT_THAT(trace.counters, ElementsAre(Pair("loss", ElementsAre(0.5, 0.25))));
}

TEST_F(SpanTest, FlowsJoinSpansOfTwoThreads) {
  const ReadTrace trace = Recorded([] {
    std::thread loader([] { const Span span(InternName("load"), Flow{7}); });
    loader.join();
    const Span span(InternName("use"), Flow{7, true});
    RecordInstant(InternName("mark"), Flow{8});
  });
  EXPECT_THAT(trace.Only("load").flows, ElementsAre(Pair(7, false)));
  EXPECT_THAT(trace.Only("use").flows, ElementsAre(Pair(7, true)));
  EXPECT_THAT(trace.Only("mark").flows, ElementsAre(Pair(8, false)));
}

TEST_F(SpanTest, StepsHaveATrackAndANumber) {
  const ReadTrace trace = Recorded([] {
    NameThisThread("main loop");
    EndStep();  // None is open.
    {
      const StepScope step(5);
      Forward();
    }
    BeginStep(6);
    BeginStep(7);  // Ends step 6.
    EndStep();
  });
  EXPECT_EQ(trace.Only("step 5").track, "main loop/steps");
  EXPECT_EQ(trace.Only("step 5").category, "step");
  EXPECT_EQ(trace.Only("step 5").args.at("step"), "5");
  EXPECT_EQ(trace.Only("step 6").end, trace.Only("step 7").begin);
  EXPECT_GE(trace.Only("step 7").end, 0);
  EXPECT_EQ(trace.Only("forward").track, "main loop");
  EXPECT_EQ(trace.ends_without_begin, 0U);
}

TEST_F(SpanTest, OperatorsKeepTheirOwnTimes) {
  const std::string long_text(10'000, 'x');
  const ReadTrace trace = Recorded([&] {
    NameThisThread("main");
    RecordOperator({.type = "Conv2D",
                    .full_name = "Default/conv1/Conv2D-op1",
                    .start_nanos = 1000,
                    .end_nanos = 3500,
                    .shapes = "(32, 1, 8, 8)",
                    .flops = 1e6});
    RecordOperator({.type = "ReLU", .full_name = "relu", .start_nanos = 4000, .end_nanos = 3000});
    RecordOperator({.type = long_text, .full_name = "long", .shapes = "\xff"});
  });
  const ReadSlice& conv = trace.Only("Default/conv1/Conv2D-op1");
  EXPECT_EQ(conv.track, "main/operators");
  EXPECT_EQ(conv.category, "operator");
  EXPECT_EQ(conv.begin, 1000);
  EXPECT_EQ(conv.end, 3500);
  EXPECT_THAT(conv.args,
              UnorderedElementsAre(Pair("type", "Conv2D"), Pair("shapes", "(32, 1, 8, 8)"),
                                   Pair("flops", "1000000.000000")));
  EXPECT_EQ(trace.Only("relu").end, 4000);
  EXPECT_EQ(trace.Only("long").args.at("type").size(), 4096U);
  EXPECT_EQ(trace.Only("long").args.at("shapes"), "\xef\xbf\xbd");
}

TEST_F(SpanTest, QueuesSayWhatTheyAreOnce) {
  DataQueue queue("batches", {.capacity = 8, .workers = 2, .parent = "files"});
  const auto use = [&] {
    { const Span waiting = queue.Get(); }
    queue.SetDepth(3);
    { const Span waiting = queue.Put(); }
  };
  for (int profile = 0; profile < 2; ++profile) {
    const ReadTrace trace = Recorded(use);
    EXPECT_THAT(
        trace.Only("batches").args,
        UnorderedElementsAre(Pair("capacity", "8"), Pair("workers", "2"), Pair("parent", "files")));
    EXPECT_EQ(trace.Only("batches: get").category, "queue");
    EXPECT_EQ(trace.Count("batches: put"), 1U);
    EXPECT_THAT(trace.counters, ElementsAre(Pair("batches: depth", ElementsAre(3))));
  }
}

TEST_F(SpanTest, ThreadsHaveNamesAndTracks) {
  const ReadTrace trace = Recorded([] {
    std::thread first([] {
      NameThisThread("loader 1");
      SIGHTLINE_SPAN("a");
    });
    first.join();
    std::thread second([] {
      pthread_setname_np(pthread_self(), "loader 2");
      SIGHTLINE_SPAN("b");
    });
    second.join();
  });
  EXPECT_EQ(trace.Only("a").track, "loader 1");
  EXPECT_EQ(trace.Only("b").track, "loader 2");
  EXPECT_EQ(stats_.threads, 2U);
}

}  // namespace
}  // namespace sightline::profiler
