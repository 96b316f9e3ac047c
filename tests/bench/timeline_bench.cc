// The timeline of a profile: reading its order once, and a range of it as a picture asks for it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include "sightline/dashboard/timeline.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kLanes = 64;
constexpr std::size_t kSpans = 10'000'000;
constexpr std::uint32_t kColumns = 2000;

// Spans of 100 ns to 1 ms one after another on each lane, a tenth of them with one within.
profile::Model MakeModel() {
  profile::ModelBuilder builder;
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const profile::LaneId lane = builder.AddLane("1", std::to_string(i));
    std::int64_t at = 0;
    for (std::size_t span = 0; span < kSpans / kLanes; ++span) {
      const auto duration = std::int64_t{100} << (random() % 14);
      builder.AddSpan({.start = at, .duration = duration, .lane = lane});
      if (random() % 10 == 0) {
        builder.AddSpan({.start = at + 1, .duration = duration / 2, .lane = lane});
        ++span;
      }
      at += duration + static_cast<std::int64_t>(random() % 1000);
    }
  }
  return std::move(builder).Finish();
}

// Of the processor: what else runs on the machine does not count.
double ThreadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

const profile::Model& TheModel() {
  static const profile::Model model = MakeModel();
  return model;
}

void TimelineMade(benchmark::State& state) {
  const profile::Model& model = TheModel();
  for (auto _ : state) benchmark::DoNotOptimize(Timeline(model));
}
BENCHMARK(TimelineMade)->Unit(benchmark::kMillisecond)->Iterations(1);

// Ranges of every length at any place; the 99th percentile of all lanes of one.
void TimelineRange(benchmark::State& state) {
  const profile::Model& model = TheModel();
  const Timeline timeline(model);
  const profile::TimeRange all = ExtentOf(model);
  std::mt19937_64 random(2);
  std::vector<double> times;
  for (auto _ : state) {
    const std::int64_t length = (all.to - all.from) >> (random() % 20);
    const std::int64_t from =
        all.from + static_cast<std::int64_t>(
                       random() % static_cast<std::uint64_t>(all.to - all.from - length + 1));
    const double start = ThreadMilliseconds();
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      benchmark::DoNotOptimize(timeline.Rows(lane, {from, from + length}, kColumns, 8));
    times.push_back(ThreadMilliseconds() - start);
  }
  std::sort(times.begin(), times.end());
  state.counters["p99_ms"] = times[times.size() * 99 / 100];
  state.counters["p50_ms"] = times[times.size() / 2];
}
BENCHMARK(TimelineRange)->Unit(benchmark::kMillisecond)->Iterations(200);

}  // namespace
}  // namespace sightline::dashboard
