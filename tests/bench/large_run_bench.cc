// Runs that are larger than what may be resident, runs of large values, and how soon a listener has
// what was flushed. Where SIGHTLINE_RUNS names a folder, the two large runs are left there for
// run.py; SIGHTLINE_RUN_EVENTS says how many events stand for a million.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/base/memory/column_memory.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/recorder.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/bench/scalar_record.h"
#include "sightline/tests/bench/seconds_since.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using bench::SecondsSince;
using Clock = std::chrono::steady_clock;

int Million() {
  const char* events = std::getenv("SIGHTLINE_RUN_EVENTS");
  return events == nullptr ? 1'000'000 : std::atoi(events);
}

fs::path Folder() {
  const char* folder = std::getenv("SIGHTLINE_RUNS");
  return folder == nullptr ? fs::temp_directory_path() / "sightline_large_runs" : fs::path(folder);
}

// Events of 150 KB. What is in a picture is not written, so that it takes no memory here; it reads
// as zeros, and its checksum is theirs.
void LeavePictures(const fs::path& path, int count) {
  fs::create_directories(path.parent_path());
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const std::string pixels(150'000, '\0');
  off_t at = 0;
  for (int step = 0; step < count; ++step) {
    std::string head;
    wire::AppendBytes(head, 1, "picture");
    std::string image;
    wire::AppendInt(image, 1, 224);
    wire::AppendInt(image, 2, 224);
    wire::AppendInt(image, 3, 3);
    wire::AppendBytesHeader(image, 4, pixels.size());
    wire::AppendBytesHeader(head, 4, image.size() + pixels.size());
    head += image;
    std::string value;
    wire::AppendBytesHeader(value, 1, head.size() + pixels.size());
    std::string event;
    wire::AppendDouble(event, 1, 1.7e9 + step);
    wire::AppendInt(event, 2, step);
    wire::AppendBytesHeader(event, 5, value.size() + head.size() + pixels.size());
    event += value + head;
    const std::uint64_t length = event.size() + pixels.size();
    std::string record;
    wire::AppendFixed(record, length);
    wire::AppendFixed(record, crc32c::Mask(crc32c::Value(record)));
    record += event;
    std::string footer;
    wire::AppendFixed(footer, crc32c::Mask(crc32c::Extend(crc32c::Value(event), pixels)));
    (void)!pwrite(fd, record.data(), record.size(), at);
    at += static_cast<off_t>(record.size() + pixels.size());
    (void)!pwrite(fd, footer.data(), footer.size(), at);
    at += static_cast<off_t>(footer.size());
  }
  close(fd);
}

void LeaveScalars(const fs::path& path, int count) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  for (int step = 0; step < count; ++step)
    out << bench::ScalarRecord("loss/train", step, 1.0F / static_cast<float>(step + 1));
}

void LeaveLargeRuns(benchmark::State& state) {
  static bool left = false;
  for (auto _ : state) {
    if (std::exchange(left, true)) continue;
    LeavePictures(Folder() / "pictures" / "events.out.tfevents.1.vm", Million() / 30);
    LeaveScalars(Folder() / "hundred" / "events.out.tfevents.1.vm", 100 * Million());
  }
}
BENCHMARK(LeaveLargeRuns)->Iterations(1);

double ResidentMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024e-6;
}

// 100 M points below 512 MB: opened, and 1,000 random ranges in 1,000 columns.
void HundredMillionPoints(benchmark::State& state) {
  const fs::path folder = Folder() / "hundred";
  if (!fs::exists(folder)) LeaveScalars(folder / "events.out.tfevents.1.vm", 100 * Million());
  for (auto _ : state) {
    auto limit = MemoryLimit::Set(512'000'000, fs::temp_directory_path().string());
    const auto start = Clock::now();
    const auto run = sightline::Run::Open(folder.string());
    const Series& series = *(*run)->series()[0];
    benchmark::DoNotOptimize(series.ExtremesOf(0, series.size()));
    state.counters["cold_s"] = SecondsSince(start);
    std::mt19937_64 random(2);
    std::vector<double> milliseconds;
    for (int i = 0; i < 1000; ++i) {
      auto first = static_cast<std::int64_t>(random() % series.size());
      auto last = static_cast<std::int64_t>(random() % series.size());
      if (first > last) std::swap(first, last);
      const auto begin = Clock::now();
      benchmark::DoNotOptimize(series.ColumnsBySteps(first, last, 1000));
      milliseconds.push_back(SecondsSince(begin) * 1e3);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
    state.counters["resident_mb"] = ResidentMegabytes();
  }
}
BENCHMARK(HundredMillionPoints)->Iterations(1)->Repetitions(2);

// From the end of Flush until a watched group has the value.
void FlushedUntilSeen(benchmark::State& state) {
  const fs::path folder = fs::temp_directory_path() / "sightline_flushed";
  fs::remove_all(folder);
  auto recorder = Recorder::Open(folder.string(), {});
  (*recorder)->AddScalar("loss", 0, 1);
  (void)(*recorder)->Flush().ok();
  auto group = RunGroup::Open({folder.string()});
  group->Watch();
  (void)group->Refresh();
  std::vector<double> milliseconds;
  std::int64_t step = 0;
  for (auto _ : state) {
    (*recorder)->AddScalar("loss", ++step, 1);
    (void)(*recorder)->Flush().ok();
    const auto start = Clock::now();
    while (group->runs()[0]->series()[0]->last_step() != step) {
      pollfd news = {group->news_descriptor(), POLLIN, 0};
      poll(&news, 1, 500);
      (void)group->Refresh();
    }
    milliseconds.push_back(SecondsSince(start) * 1e3);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
  (void)(*recorder)->Close().ok();
  fs::remove_all(folder);
}
BENCHMARK(FlushedUntilSeen)->Iterations(200);

}  // namespace
}  // namespace sightline
