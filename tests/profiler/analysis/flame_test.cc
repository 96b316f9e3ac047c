#include "sightline/profiler/analysis/flame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportCorpus;
using testing::ImportEvents;

std::vector<std::string> Folded(const std::string& events) {
  std::vector<std::string> lines;
  for (const FoldedStack& each : FoldStacks(ImportEvents(events).model)) {
    lines.push_back(each.stack + " " + std::to_string(each.nanos) + " x" +
                    std::to_string(each.count));
  }
  return lines;
}

TEST(Flame, StacksAreSpansAroundEachOtherWithTheirOwnTime) {
  EXPECT_THAT(Folded(R"({"ph":"X","name":"step","tid":7,"ts":0,"dur":10},)"
                     R"({"ph":"X","name":"a","tid":7,"ts":1,"dur":4},)"
                     R"({"ph":"X","name":"b","tid":7,"ts":2,"dur":1},)"
                     R"({"ph":"X","name":"a","tid":7,"ts":6,"dur":2})"),
              ::testing::ElementsAre("7;step 4000 x1", "7;step;a 5000 x2", "7;step;a;b 1000 x1"));
}

TEST(Flame, ACallStackThatTheProfilerWroteStandsForTheSpansAround) {
  EXPECT_THAT(Folded(R"({"ph":"X","name":"conv","cat":"cpu_op","tid":7,"ts":0,"dur":10,)"
                     R"("args":{"Call stack":"net.py(9): forward;main.py(3): <module>"}})"),
              ::testing::ElementsAre("7;main.py(3): <module>;net.py(9): forward;conv 10000 x1"));
}

// Else each step would be a frame, and a lane of steps would count all work twice.
TEST(Flame, StepsAreOneFrameAndNoLaneOfTheirOwn) {
  EXPECT_THAT(Folded(R"({"ph":"X","name":"step 1","cat":"step","tid":"steps","ts":0,"dur":10},)"
                     R"({"ph":"X","name":"step 2","cat":"step","tid":"steps","ts":10,"dur":10},)"
                     R"({"ph":"X","name":"work","tid":"main","ts":1,"dur":4},)"
                     R"({"ph":"X","name":"ProfilerStep#1","tid":7,"ts":0,"dur":10},)"
                     R"({"ph":"X","name":"a","tid":7,"ts":1,"dur":4},)"
                     R"({"ph":"X","name":"ProfilerStep#2","tid":7,"ts":10,"dur":10},)"
                     R"({"ph":"X","name":"a","tid":7,"ts":11,"dur":5})"),
              ::testing::ElementsAre("7;step 11000 x2", "7;step;a 9000 x2", "main;work 4000 x1"));
}

TEST(Flame, NamesHoldNoDivider) {
  EXPECT_THAT(Folded(R"({"ph":"X","name":"a;b\nc","tid":7,"ts":0,"dur":1})"),
              ::testing::ElementsAre("7;a:b c 1000 x1"));
}

TEST(Flame, ASpanThatCrossesTheOneAroundItCountsUpToItsEnd) {
  EXPECT_THAT(Folded(R"({"ph":"X","name":"a","tid":7,"ts":0,"dur":10},)"
                     R"({"ph":"X","name":"b","tid":7,"ts":5,"dur":10})"),
              ::testing::ElementsAre("7;a 5000 x1", "7;a;b 5000 x1"));
}

// 20,000 spans within each other: their stacks would be 2 GB of text.
TEST(Flame, WhatLiesTooDeepIsOwnTimeOfWhatIsAroundIt) {
  std::string events;
  constexpr int kSpans = 20'000;
  for (int i = 0; i < kSpans; ++i) {
    events += std::string(i == 0 ? "" : ",") + R"({"ph":"X","name":"f)" + std::to_string(i) +
              R"(","tid":7,"ts":)" + std::to_string(i) + R"(,"dur":)" +
              std::to_string(2 * (kSpans - i)) + "}";
  }
  std::int64_t own = 0;
  std::size_t longest = 0;
  for (const FoldedStack& each : FoldStacks(ImportEvents(events).model)) {
    own += each.nanos;
    longest = std::max(longest, each.stack.size());
  }
  EXPECT_EQ(own, 2'000 * kSpans) << "that of the outermost";
  EXPECT_LE(longest, 32U << 10U);
  EXPECT_GT(longest, 31U << 10U);
}

// 5,000 spans within eight of long names: their stacks would be 160 MB of text.
TEST(Flame, WhatHasNoRoomIsOwnTimeOfWhatIsAroundIt) {
  constexpr int kSpans = 5'000;
  std::string events;
  for (int depth = 0; depth < 8; ++depth) {
    events += R"({"ph":"X","name":")" + std::string(4'000, static_cast<char>('a' + depth)) +
              R"(","tid":7,"ts":0,"dur":)" + std::to_string(2 * kSpans) + "},";
  }
  for (int i = 0; i < kSpans; ++i) {
    events += std::string(i == 0 ? "" : ",") + R"({"ph":"X","name":"f)" + std::to_string(i) +
              R"(","tid":7,"ts":)" + std::to_string(2 * i) + R"(,"dur":1})";
  }
  std::int64_t own = 0;
  std::size_t texts = 0;
  for (const FoldedStack& each : FoldStacks(ImportEvents(events).model)) {
    own += each.nanos;
    texts += each.stack.size();
  }
  EXPECT_EQ(own, 2'000 * kSpans) << "that of the outermost";
  EXPECT_LE(texts, 129U << 20U);
  EXPECT_GT(texts, 127U << 20U);
}

TEST(Flame, OfPyTorchAddsUpToItsOutermostSpans) {
  const Model model = ImportCorpus("torch/plain.pt.trace.json.gz").model;
  std::int64_t own = 0;
  for (const FoldedStack& each : FoldStacks(model)) own += each.nanos;
  std::int64_t covered = 0;
  for (const Lane& lane : model.lanes) {
    if (lane.kind != LaneKind::kThread && lane.kind != LaneKind::kStream) continue;
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      const std::int64_t start = model.spans.start[i];
      if (start < end) continue;  // Within the one before.
      end = model.spans.end(i);
      covered += model.spans.duration[i];
    }
  }
  EXPECT_EQ(own, covered);
}

}  // namespace
}  // namespace sightline::profiler
