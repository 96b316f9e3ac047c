#include "sightline/profiler/model/span_appender.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "sightline/tests/support/memory_limit_test.h"
#include "sightline/tests/support/no_threads.h"

namespace sightline::profiler {
namespace {

NewSpan SpanNumber(std::uint32_t number) {
  return {.start = number,
          .duration = number + 1,
          .name = NameId{number + 2},
          .type = NameId{number + 3},
          .category = NameId{number + 4},
          .detail = NameId{number + 5},
          .lane = LaneId{number + 6},
          .kind = static_cast<SpanKind>(number % 10)};
}

// All columns of so many spans are there, in the order in which they were added.
void ExpectAppended(std::uint32_t count) {
  SpanAppender appender;
  for (std::uint32_t i = 0; i < count; ++i) appender.Add(SpanNumber(i));
  const Spans spans = appender.Take();
  ASSERT_EQ(spans.size(), count);
  ASSERT_EQ(spans.kind.size(), count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const NewSpan span = SpanNumber(i);
    ASSERT_EQ(spans.start[i], span.start);
    ASSERT_EQ(spans.duration[i], span.duration);
    ASSERT_EQ(spans.name[i], span.name);
    ASSERT_EQ(spans.type[i], span.type);
    ASSERT_EQ(spans.category[i], span.category);
    ASSERT_EQ(spans.detail[i], span.detail);
    ASSERT_EQ(spans.lane[i], span.lane);
    ASSERT_EQ(spans.kind[i], span.kind);
  }
}

TEST(SpanAppender, OfNothingHasNone) { ExpectAppended(0); }

TEST(SpanAppender, KeepsTheOrderOfFewSpans) { ExpectAppended(100); }

TEST(SpanAppender, KeepsTheOrderOfManySpansThatAThreadAppends) {
  ExpectAppended(8192);
  ExpectAppended(100'000);
}

TEST(SpanAppender, AppendsItselfWhereThereIsNoThread) {
  const sightline::testing::NoThreads none;
  ExpectAppended(100'000);
}

TEST(SpanAppender, ThatNobodyTakesFromEndsItsThread) {
  SpanAppender appender;
  for (std::uint32_t i = 0; i < 20'000; ++i) appender.Add(SpanNumber(i));
}

using SpanAppenderMemoryTest = sightline::testing::MemoryLimitTest;

TEST_F(SpanAppenderMemoryTest, ColumnsThatGrowPastTheLimitLeaveMemory) {
  const auto limit = Limit(kNever);
  ExpectKept([] {
    SpanAppender appender;
    for (std::uint32_t i = 0; i < 4'000'000; ++i) appender.Add(SpanNumber(i));
    EXPECT_EQ(appender.Take().size(), 4'000'000);
  });
}

}  // namespace
}  // namespace sightline::profiler
