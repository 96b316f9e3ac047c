// A trace of 100 million spans on 64 tracks below a memory limit of 1 GB: read, its timeline
// indexed, the whole of it drawn, and any ranges after that. SIGHTLINE_LARGE_SPANS: how many
// instead. The trace lies in TMPDIR; what leaves memory in /var/tmp, on a disk as with `serve`.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/trace/trace_writer.h"
#include "sightline/tests/bench/seconds_since.h"

namespace sightline::profiler {
namespace {

using bench::SecondsSince;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kTracks = 64;
constexpr std::uint32_t kColumns = 2000;
constexpr int kNames = 2000;
constexpr std::uint64_t kLimit = 1'000'000'000;

// The most that was resident since ForgetPeak, in bytes.
double PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) * 1024;
  }
  return 0;
}
void ForgetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// Goes when the program ends.
struct TraceFile {
  TraceFile() {
    const char* wanted = std::getenv("SIGHTLINE_LARGE_SPANS");
    const std::int64_t spans = wanted == nullptr ? 100'000'000 : std::atoll(wanted);
    profiler::TraceWriter trace(path);
    std::vector<profiler::TraceWriter::Track> tracks;
    for (std::uint32_t i = 0; i < kTracks; ++i)
      tracks.push_back(trace.AddTrack("stream " + std::to_string(i)));
    std::vector<std::string> names;
    for (int i = 0; i < kNames; ++i) names.push_back("Default/network/layer" + std::to_string(i));
    std::mt19937 random(1);
    for (std::int64_t i = 0; i < spans; ++i) {
      const std::int64_t start = i * 100 + static_cast<std::int64_t>(random() % 1000);
      trace.Span(tracks[static_cast<std::size_t>(i) % kTracks], names[random() % kNames], start,
                 start + static_cast<std::int64_t>(random() % 5000));
    }
    if (!trace.Close()) std::abort();
  }
  ~TraceFile() { std::remove(path.c_str()); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::string path =
      (std::filesystem::temp_directory_path() / "large.perfetto-trace").string();
};

void HundredMillionSpans(benchmark::State& state) {
  static const TraceFile file;
  const auto limit = MemoryLimit::Set(kLimit, "/var/tmp");
  if (!limit) return state.SkipWithError("there is no memory limit");
  for (auto _ : state) {
    ForgetPeak();
    const auto begin = Clock::now();
    const auto profile = ImportProfile(file.path);
    if (!profile) return state.SkipWithError("the profile could not be read");
    const Model& model = profile->model;
    state.counters["read_s"] = SecondsSince(begin);
    const TimelineIndex index(model);
    const TimeRange whole = Extent(model);
    const auto look = [&](const TimeRange& range) {
      for (std::uint32_t lane = 0; lane < model.lanes.size(); ++lane)
        benchmark::DoNotOptimize(index.Look(LaneId{lane}, range, kColumns));
    };
    look(whole);
    state.counters["first_picture_s"] = SecondsSince(begin);
    std::mt19937_64 random(2);
    std::vector<double> milliseconds;
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t length = (whole.to - whole.from) >> (random() % 21);
      const auto free = static_cast<std::uint64_t>(whole.to - whole.from - length);
      const std::int64_t from =
          whole.from + static_cast<std::int64_t>(free == 0 ? 0 : random() % free);
      const auto start = Clock::now();
      look({from, from + length});
      milliseconds.push_back(SecondsSince(start) * 1e3);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
    state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
    state.counters["spans"] = static_cast<double>(model.spans.size());
    state.counters["resident_mb"] = PeakBytes() / 1e6;
    state.counters["spilled_mb"] = static_cast<double>((*limit)->spilled_bytes()) / 1e6;
  }
}
BENCHMARK(HundredMillionSpans)
    ->Iterations(1)
    ->Repetitions(2)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace sightline::profiler
