#include "sightline/profiler/model/model_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/support/memory_limit_test.h"

namespace sightline::profiler {
namespace {

using ModelBuilderMemoryTest = sightline::testing::MemoryLimitTest;

// Spans of several lanes by turns, each lane's from the last to the first: all of them move.
TEST_F(ModelBuilderMemoryTest, PuttingSpansInOrderKeepsTheLimit) {
  constexpr std::int64_t kSpans = 2'000'000;
  const auto limit = Limit(kNever);
  ExpectKept([] {
    ModelBuilder builder;
    std::vector<LaneId> lanes;
    for (int i = 0; i < 8; ++i) lanes.push_back(builder.AddLane("process", std::to_string(i)));
    const std::vector<NameId> names = {builder.Intern("a"), builder.Intern("b")};
    for (std::int64_t i = 0; i < kSpans; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ASSERT_TRUE(builder.AddSpan({.start = kSpans - i,
                                   .duration = i % 3,
                                   .name = names[at % 2],
                                   .lane = lanes[at % lanes.size()]}));
    }
    const Model model = std::move(builder).Finish();
    ASSERT_EQ(model.spans.size(), static_cast<std::size_t>(kSpans));
    for (std::size_t i = 1; i < model.spans.size(); ++i) {
      MemoryLimit::Keep(i);
      if (model.spans.lane[i] == model.spans.lane[i - 1]) {
        ASSERT_GT(model.spans.start[i], model.spans.start[i - 1]);
      }
    }
  });
}

}  // namespace
}  // namespace sightline::profiler
