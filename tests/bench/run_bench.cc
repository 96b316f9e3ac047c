// Directories of event files as one model: opening several files on one core and two, following a
// run that grows, and charts of ten million points. Where SIGHTLINE_RUNS names a folder, the runs
// that run.py shows to the program and to the peers are left there; SIGHTLINE_RUN_EVENTS says how
// many events the large one has.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/writing/worker_pool.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/bench/scalar_record.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using bench::ScalarRecord;

int Events() {
  const char* events = std::getenv("SIGHTLINE_RUN_EVENTS");
  return events == nullptr ? 1'000'000 : std::atoi(events);
}

std::string VersionRecord() {
  std::string event;
  wire::AppendDouble(event, 1, 1.7e9);
  wire::AppendBytes(event, 3, "brain.Event:2");
  return testing::FrameRecord(event);
}

void Write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string OneTag(int first_step, int events) {
  std::string bytes = VersionRecord();
  for (int step = first_step; step < first_step + events; ++step)
    bytes += ScalarRecord("loss/train", step, 1.0F / static_cast<float>(step + 1));
  return bytes;
}

// The folder of this process's runs, removed at its end.
const fs::path& Scratch() {
  static const struct Folder {
    Folder() : path(fs::temp_directory_path() / "sightline_run_bench") {
      fs::remove_all(path);
      fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    const fs::path path;
  } folder;
  return folder.path;
}

// A run of MindSpore's dialect with 20 pairs of lineage, and 3 tags of 10 points.
void LeaveRunWithLineage(const fs::path& folder, int number) {
  CustomLineage pairs;
  for (int key = 0; key < 20; ++key) pairs["key" + std::to_string(key)] = 0.1 * (number + key);
  std::string event;
  wire::AppendDouble(event, 1, 1.7e9);
  wire::AppendBytes(event, 10, SerializeCustomLineage(pairs));
  Write(folder / "events.out.events.summary.1.0.vm_lineage", testing::FrameRecord(event));
  std::string points;
  for (int step = 0; step < 10; ++step) {
    for (const char* tag : {"loss", "accuracy", "rate"})
      points += ScalarRecord(tag, step, static_cast<float>(number + step), 3);
  }
  Write(folder / "events.out.events.summary.1.0.vm_MS", points);
}

void LeaveRuns(benchmark::State& state) {
  const char* folder = std::getenv("SIGHTLINE_RUNS");
  static bool left = false;
  for (auto _ : state) {
    if (folder == nullptr || std::exchange(left, true)) continue;
    Write(fs::path(folder) / "one" / "events.out.tfevents.1.vm", OneTag(0, Events()));
    std::string many = VersionRecord();
    for (int step = 0; step < 200; ++step) {
      for (int tag = 0; tag < 20; ++tag)
        many += ScalarRecord("tag" + std::to_string(tag), step, static_cast<float>(step));
    }
    for (int run = 0; run < std::max(10, Events() / 1000); ++run) {
      const std::string name = "run" + std::to_string(run);
      Write(fs::path(folder) / "many" / name / "events.out.tfevents.1.vm", many);
    }
    for (int run = 0; run < Events() / 10; ++run)
      LeaveRunWithLineage(fs::path(folder) / "lineage" / ("run" + std::to_string(run)), run);
  }
}
BENCHMARK(LeaveRuns)->Iterations(1);

// Two files of one directory, of ten million events each, written once.
const fs::path& TwoFiles() {
  static const fs::path folder = [] {
    fs::path two = Scratch() / "files";
    for (int file = 0; file < 2; ++file) {
      Write(two / ("events.out.tfevents." + std::to_string(file) + ".vm"),
            OneTag(file * 10 * Events(), 10 * Events()));
    }
    return two;
  }();
  return folder;
}

double SecondsToOpenTwoFiles(unsigned threads) {
  const auto start = std::chrono::steady_clock::now();
  const auto group = RunGroup::Open({TwoFiles().string()}, {.threads = threads});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!group || group->runs()[0]->series()[0]->size() != 20U * static_cast<unsigned>(Events()))
    throw std::runtime_error("points are missing");
  return seconds.count();
}

// One core and two are timed one after the other, in memory that the process has used before:
// the first opening of a process takes three times as long, whatever it opens.
void OpenTwoFiles(benchmark::State& state) {
  SecondsToOpenTwoFiles(2);
  for (auto _ : state)
    state.counters["times_as_fast"] = SecondsToOpenTwoFiles(1) / SecondsToOpenTwoFiles(2);
}
BENCHMARK(OpenTwoFiles)->Iterations(1);

class GrowingRun : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& /*state*/) override {
    folder_ = Scratch() / "growing";
    fs::remove_all(folder_);
    step_ = Events();
    Write(folder_ / "events.out.tfevents.1.vm", OneTag(0, step_));
  }

 protected:
  void Grow() {
    std::string bytes;
    for (int i = 0; i < 100; ++i) bytes += ScalarRecord("loss/train", step_++, 1);
    std::ofstream(folder_ / "events.out.tfevents.1.vm", std::ios::binary | std::ios::app) << bytes;
  }
  static std::size_t Points(const sightline::Run& run) { return run.series()[0]->size(); }

  fs::path folder_;
  int step_ = 0;
};

BENCHMARK_DEFINE_F(GrowingRun, Follow)(benchmark::State& state) {
  RunFollower follower(folder_.string());
  auto run = follower.Refresh();
  Grow();
  run = follower.Refresh();  // That it grows is known from here on.
  for (auto _ : state) {
    state.PauseTiming();
    Grow();
    state.ResumeTiming();
    run = follower.Refresh();
    benchmark::DoNotOptimize((*run)->series()[0]->ExtremesOf(0, Points(**run)));
  }
  if (Points(**run) != static_cast<std::size_t>(step_)) state.SkipWithError("points are missing");
}
BENCHMARK_REGISTER_F(GrowingRun, Follow)->Unit(benchmark::kMicrosecond);

BENCHMARK_DEFINE_F(GrowingRun, OpenAnew)(benchmark::State& state) {
  for (auto _ : state) {
    const auto run = sightline::Run::Open(folder_.string());
    benchmark::DoNotOptimize((*run)->series()[0]->ExtremesOf(0, Points(**run)));
  }
}
BENCHMARK_REGISTER_F(GrowingRun, OpenAnew)->Unit(benchmark::kMicrosecond);

// 1,000 random ranges of 10 M points in 1,000 columns, one after the other.
void ColumnsOfTenMillion(benchmark::State& state) {
  static const auto series = [] {
    SeriesPoints points;
    std::mt19937_64 random(1);
    for (int i = 0; i < 10 * Events(); ++i) {
      points.steps.push_back(i);
      points.wall_times.push_back(i);
      points.values.push_back(std::normal_distribution<>()(random));
    }
    return std::make_unique<Series>(SeriesKey{ContentKind::kScalar, "", "loss", 0},
                                    std::move(points));
  }();
  benchmark::DoNotOptimize(series->ExtremesOf(0, series->size()));
  std::mt19937_64 random(2);
  std::vector<double> milliseconds;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) {
      auto first = static_cast<std::int64_t>(random() % series->size());
      auto last = static_cast<std::int64_t>(random() % series->size());
      if (first > last) std::swap(first, last);
      const std::int64_t start = ThreadCpuNanos();  // Which other programs do not disturb.
      benchmark::DoNotOptimize(series->ColumnsBySteps(first, last, 1000));
      milliseconds.push_back(static_cast<double>(ThreadCpuNanos() - start) * 1e-6);
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
}
BENCHMARK(ColumnsOfTenMillion)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline
