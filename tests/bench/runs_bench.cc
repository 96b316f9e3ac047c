// Opening runs and asking for columns: the rows of the model of runs. Files are made in a temporary
// folder and stay in the page cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/dialect/scalar_record.h"
#include "sightline/runs/run_group.h"
#include "sightline/runs/run_scan.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// `points` of each of `tags` tags, step after step, in MindSpore's dialect.
std::string ScalarFile(std::size_t tags, std::size_t points) {
  std::vector<std::string> names;
  for (std::size_t tag = 0; tag < tags; ++tag) names.push_back("train/loss_" + std::to_string(tag));
  std::string bytes(tags * points * (scalar_record::kMaxOverhead + 20), '\0');
  char* out = bytes.data();
  for (std::size_t step = 0; step < points; ++step) {
    for (const std::string& name : names) {
      const double value = std::sin(static_cast<double>(step) * 0.001);
      out = PutScalarRecordAs<ScalarSpelling{0x1d, true}>(
          out, 1.7e9 + static_cast<double>(step), static_cast<std::int64_t>(step), name, value);
    }
  }
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

constexpr char kName[] = "events.out.events.summary.1.0.vm_MS";

struct Million {
  testing::TempDir dir;
  Million() { testing::WriteFileOrDie(dir.File(kName), ScalarFile(1, 1'000'000)); }
};

const std::string& MillionDirectory() {
  static const Million million;
  return million.dir.path();
}

void OpenMillionEvents(benchmark::State& state) {
  const std::string& directory = MillionDirectory();
  for (auto _ : state) {
    const auto run = Run::Open(FileSystem::Local(), directory);
    if (!run || (*run)->series().front()->size() != 1'000'000) state.SkipWithError("wrong");
  }
}
BENCHMARK(OpenMillionEvents)->Unit(benchmark::kMillisecond);

// What `sightline verify` does with the same file.
void VerifyMillionEvents(benchmark::State& state) {
  const std::string path = JoinPath(MillionDirectory(), kName);
  const auto source = FindEventSource(FileSystem::Local(), path);
  for (auto _ : state) {
    RunSummary ignored;
    if (ScanFile(FileSystem::Local(), *source, ignored).records != 1'000'000)
      state.SkipWithError("wrong");
  }
}
BENCHMARK(VerifyMillionEvents)->Unit(benchmark::kMillisecond);

// 1,000 runs of 20 tags and 200 points.
void OpenThousandRuns(benchmark::State& state) {
  const testing::TempDir dir;
  const std::string bytes = ScalarFile(20, 200);
  for (int i = 0; i < 1000; ++i) {
    const std::string directory = dir.File("run" + std::to_string(i));
    if (!FileSystem::Local().CreateDirectories(directory).ok()) state.SkipWithError("no directory");
    testing::WriteFileOrDie(directory + "/" + kName, bytes);
  }
  for (auto _ : state) {
    const auto group = RunGroup::Open(FileSystem::Local(), {dir.path()},
                                      {.threads = static_cast<unsigned>(state.range(0))});
    if (!group || group->runs().size() != 1000) state.SkipWithError("wrong");
  }
}
BENCHMARK(OpenThousandRuns)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// 10 million points: random ranges in 1,000 columns.
void ThousandColumnsOfTenMillionPoints(benchmark::State& state) {
  constexpr std::int64_t kPoints = 10'000'000;
  SeriesPoints points;
  std::mt19937_64 random(1);
  for (std::int64_t i = 0; i < kPoints; ++i) {
    points.steps.push_back(i);
    points.values.push_back(static_cast<double>(random() >> 11U));
  }
  points.wall_times.assign(points.steps.size(), 1);
  const Series series({ContentKind::kScalar, "", "loss", 0}, std::move(points));
  benchmark::DoNotOptimize(series.ExtremesOf(0, series.size()));
  std::vector<double> seconds;
  for (auto _ : state) {
    auto first = static_cast<std::int64_t>(random() % kPoints);
    auto last = static_cast<std::int64_t>(random() % kPoints);
    if (first > last) std::swap(first, last);
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(series.ColumnsBySteps(first, last, 1000));
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["p99_ms"] = seconds[seconds.size() * 99 / 100] * 1e3;
}
BENCHMARK(ThousandColumnsOfTenMillionPoints)->Iterations(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sightline
