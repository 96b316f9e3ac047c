// Analysing a profile of 10 million spans that is in memory: the timeline's index and its looks,
// the table of operators.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {
namespace {

constexpr std::uint32_t kLanes = 64;
constexpr std::uint32_t kColumns = 2000;
constexpr int kNames = 400;

// SIGHTLINE_SPANS of them, or 10 million.
std::int64_t Spans() {
  const char* spans = std::getenv("SIGHTLINE_SPANS");
  return spans == nullptr ? 10'000'000 : std::atoll(spans);
}

// Each lane has pieces of work of 0.2 us to 2 ms, most of them short, with a part within each
// third of them, and pauses between.
void AddLane(ModelBuilder& builder, const std::vector<NameId>& names, LaneId lane,
             std::int64_t spans, std::mt19937& random) {
  std::int64_t time = static_cast<std::int64_t>(random() % 1'000'000);
  for (std::int64_t i = 0; i < spans;) {
    const std::int64_t scale = random() % 100 == 0 ? 2'000'000 : random() % 10 == 0 ? 50'000 : 4000;
    NewSpan span{.start = time,
                 .duration = 200 + static_cast<std::int64_t>(random()) % scale,
                 .name = names[random() % kNames],
                 .lane = lane,
                 .kind = SpanKind::kOperator};
    builder.AddSpan(span);
    time += span.duration + static_cast<std::int64_t>(random() % 3000);
    ++i;
    if (i % 3 != 0 || i == spans) continue;
    span.start += span.duration / 4;
    span.duration /= 2;
    span.name = names[random() % kNames];
    builder.AddSpan(span);
    ++i;
  }
}

const Profile& LargeProfile() {
  static const Profile profile = [] {
    std::mt19937 random(1);
    ModelBuilder builder;
    std::vector<NameId> names;
    for (int i = 0; i < kNames; ++i)
      names.push_back(builder.Intern("Default/network/layer" + std::to_string(i) + "/MatMul-op1"));
    for (std::uint32_t i = 0; i < kLanes; ++i)
      AddLane(builder, names, builder.AddLane("1", std::to_string(i)), Spans() / kLanes, random);
    Profile made;
    made.model = std::move(builder).Finish();
    return made;
  }();
  return profile;
}

const TimelineIndex& LargeIndex() {
  static const TimelineIndex index(LargeProfile().model);
  return index;
}

void BM_BuildTimelineIndex(benchmark::State& state) {
  const Model& model = LargeProfile().model;
  std::size_t bytes = 0;
  for (auto _ : state) bytes = TimelineIndex(model).bytes();
  state.counters["bytes_a_span"] =
      static_cast<double>(bytes) / static_cast<double>(model.spans.size());
}
BENCHMARK(BM_BuildTimelineIndex)->Unit(benchmark::kMillisecond);

// Milliseconds of this thread's CPU time: other programs' share is nobody's fault here.
double CpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// All lanes at 2,000 columns: ranges of any size from the whole down to 2^-argument of it.
void BM_LookAtTimeline(benchmark::State& state) {
  const TimelineIndex& index = LargeIndex();
  const TimeRange whole = Extent(LargeProfile().model);
  std::mt19937 random(2);
  std::vector<double> milliseconds;
  for (auto _ : state) {
    std::int64_t length =
        (whole.to - whole.from) >> (random() % static_cast<std::uint32_t>(state.range(0) + 1));
    const auto free = static_cast<std::uint64_t>(whole.to - whole.from - length);
    const std::int64_t from =
        whole.from + static_cast<std::int64_t>(free == 0 ? 0 : random() % free);
    const double begin = CpuMilliseconds();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      benchmark::DoNotOptimize(index.Look(LaneId{lane}, {from, from + length}, kColumns));
    milliseconds.push_back(CpuMilliseconds() - begin);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
  state.counters["max_ms"] = milliseconds.back();
  state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
}
BENCHMARK(BM_LookAtTimeline)->Arg(0)->Arg(20)->Iterations(300)->Unit(benchmark::kMillisecond);

void BM_OperatorTable(benchmark::State& state) {
  const Profile& profile = LargeProfile();
  for (auto _ : state)
    benchmark::DoNotOptimize(AnalyzeOperators(profile, OperatorGrouping::kByName));
}
BENCHMARK(BM_OperatorTable)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline::profiler
