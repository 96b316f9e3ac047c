// Chrome's trace events, made without a recorder, at times of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/profiler/record/names.h"
#include "sightline/profiler/record/trace_sink.h"

namespace sightline::tracing {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class ChromeSinkTest : public ::testing::Test {
 protected:
  ChromeSinkTest() {
    sink_->Start({});
    sink_->AddThread(0, 1, "training", 0);
  }

  void Begin(std::int64_t nanos) { Add(EventKind::kSpanBegin, nanos); }
  void End(std::int64_t nanos) { Add(EventKind::kSpanEnd, nanos); }

  // (phase, nanoseconds) of each begin and end.
  std::vector<std::pair<std::string, std::int64_t>> Written() {
    sink_->Finish();
    std::vector<std::pair<std::string, std::int64_t>> written;
    for (const auto& event : nlohmann::json::parse(sink_->out)) {
      if (event.at("ph") == "M") continue;
      written.emplace_back(event.at("ph"), std::llround(event.at("ts").get<double>() * 1000));
    }
    return written;
  }

 private:
  void Add(EventKind kind, std::int64_t nanos) {
    TraceEvent event;
    event.head.kind = kind;
    event.head.name = InternName("span");
    event.nanos = nanos;
    sink_->Add(0, event);
  }

  std::unique_ptr<TraceSink> sink_ = MakeChromeSink();
};

TEST_F(ChromeSinkTest, TimesAreWrittenAsTheyAre) {
  Begin(1000);
  Begin(1010);
  End(1020);
  End(1020);
  EXPECT_THAT(Written(),
              ElementsAre(Pair("B", 1000), Pair("B", 1010), Pair("E", 1020), Pair("E", 1020)));
}

// Perfetto's reader would end the outer one with the inner one's end.
TEST_F(ChromeSinkTest, ASpanThatTookNoTimeEndsANanosecondLater) {
  Begin(1000);
  Begin(1010);
  End(1010);
  Begin(1010);
  End(1010);
  End(1010);
  Begin(1020);
  EXPECT_THAT(Written(),
              ElementsAre(Pair("B", 1000), Pair("B", 1010), Pair("E", 1011), Pair("B", 1011),
                          Pair("E", 1012), Pair("E", 1012), Pair("B", 1020)));
}

}  // namespace
}  // namespace sightline::tracing
