// Recording spans: what one costs its thread, and whether two threads at 2.5 million a second each
// lose any.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/profiler/record/ticks.h"
#include "sightline/tests/bench/seconds_since.h"

namespace sightline::profiler {
namespace {

using SteadyClock = std::chrono::steady_clock;

// An empty directory on tmpfs, where the machine has one.
class TraceDirectory {
 public:
  TraceDirectory() {
    const bool tmpfs = std::filesystem::is_directory("/dev/shm");
    std::string pattern = std::string(tmpfs ? "/dev/shm" : "/tmp") + "/sightline_bench_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TraceDirectory() { std::filesystem::remove_all(path_); }
  TraceDirectory(const TraceDirectory&) = delete;
  TraceDirectory& operator=(const TraceDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::unique_ptr<ProfileRecorder> StartIn(const TraceDirectory& directory) {
  auto profile = ProfileRecorder::Start({.directory = directory.path()});
  if (!profile) std::abort();
  return *std::move(profile);
}

// The clock that a span reads twice.
void BM_ReadClockTwice(benchmark::State& state) {
  ChooseClock();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReadTicks());
    benchmark::DoNotOptimize(ReadTicks());
  }
}
BENCHMARK(BM_ReadClockTwice);

void BM_SpanOff(benchmark::State& state) {
  for (auto _ : state) {
    SIGHTLINE_SPAN("span");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_SpanOff);

// Bursts that a ring holds, with the time to write them in between: a span is not to be had for
// less than its writing, but a training has other things to do.
void BM_SpanRecorded(benchmark::State& state) {
  constexpr std::int64_t kBurst = 50'000;
  const TraceDirectory directory;
  const auto profile = StartIn(directory);
  std::int64_t left = kBurst;
  for (auto _ : state) {
    {
      SIGHTLINE_SPAN("span");
      benchmark::ClobberMemory();
    }
    if (--left == 0) {
      state.PauseTiming();
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      left = kBurst;
      state.ResumeTiming();
    }
  }
  const auto stats = profile->Stop();
  if (!stats) return state.SkipWithError("the profile could not be written");
  state.counters["dropped"] = static_cast<double>(stats->dropped);
}
BENCHMARK(BM_SpanRecorded);

// `seconds` of 2.5 million spans a second.
void RecordPaced(double seconds, std::atomic<std::uint64_t>& recorded) {
  constexpr double kSpansPerSecond = 2.5e6;
  constexpr int kBatch = 250;  // 100 us.
  const auto begin = SteadyClock::now();
  std::uint64_t spans = 0;
  for (;;) {
    const double elapsed = bench::SecondsSince(begin);
    if (elapsed >= seconds) break;
    if (static_cast<double>(spans) > elapsed * kSpansPerSecond) {
      std::this_thread::yield();
      continue;
    }
    for (int i = 0; i < kBatch; ++i) {
      SIGHTLINE_SPAN("span");
    }
    spans += kBatch;
  }
  recorded += spans;
}

void BM_TwoThreadsPaced(benchmark::State& state) {
  const char* wanted = std::getenv("SIGHTLINE_PACED_MS");
  const double seconds = (wanted == nullptr ? 10'000 : std::atof(wanted)) / 1000;
  std::uint64_t spans = 0;
  std::uint64_t dropped = 0;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    const TraceDirectory directory;
    const auto profile = StartIn(directory);
    std::atomic<std::uint64_t> recorded{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([&] { RecordPaced(seconds, recorded); });
    for (std::thread& thread : threads) thread.join();
    const auto stats = profile->Stop();
    if (!stats) return state.SkipWithError("the profile could not be written");
    spans += recorded.load();
    dropped += stats->dropped;
    bytes += stats->bytes;
  }
  state.counters["spans"] = static_cast<double>(spans);
  state.counters["dropped"] = static_cast<double>(dropped);
  state.counters["bytes_a_span"] = static_cast<double>(bytes) / static_cast<double>(spans);
  state.counters["spans_a_second"] =
      benchmark::Counter(static_cast<double>(spans), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_TwoThreadsPaced)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

// As fast as two threads can: what does not get into the file is counted.
void BM_TwoThreadsUnpaced(benchmark::State& state) {
  constexpr std::uint64_t kSpans = 1'000'000;
  double lost = 0;
  double dropped = 0;
  for (auto _ : state) {
    const TraceDirectory directory;
    // Without samples of the system, which are events too.
    auto profile = ProfileRecorder::Start(
        {.directory = directory.path(), .sample_interval = std::chrono::milliseconds(0)});
    if (!profile) return state.SkipWithError("the profile could not be started");
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([] {
        for (std::uint64_t span = 0; span < kSpans; ++span) {
          SIGHTLINE_SPAN("span");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    const auto stats = (*profile)->Stop();
    if (!stats) return state.SkipWithError("the profile could not be written");
    const auto in_file = static_cast<double>(stats->events) / 2;
    dropped += static_cast<double>(stats->dropped);
    lost += static_cast<double>(2 * kSpans) - in_file - static_cast<double>(stats->dropped);
  }
  state.counters["unaccounted"] = lost;
  state.counters["dropped"] = dropped;
}
BENCHMARK(BM_TwoThreadsUnpaced)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline::profiler
