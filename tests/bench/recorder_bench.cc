// The recorder end to end, on tmpfs: events a second, the caller's cost, tensor bandwidth.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"

namespace {

// Counts every allocation of the calling thread, for the claim that a recording call makes none.
thread_local std::uint64_t allocations = 0;

}  // namespace

// Stands in for the C library's malloc, through which operator new allocates too.
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name.
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}

namespace sightline {
namespace {

using Nanos = std::chrono::nanoseconds;

std::int64_t Now() {
  return std::chrono::duration_cast<Nanos>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// An empty directory on tmpfs, where the machine has one.
class RunDirectory {
 public:
  RunDirectory() {
    const bool tmpfs = std::filesystem::is_directory("/dev/shm");
    std::string pattern = std::string(tmpfs ? "/dev/shm" : "/tmp") + "/sightline_bench_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~RunDirectory() { Remove(); }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::string& path() const { return path_; }
  // Freeing what was written takes as long as a third of writing it: not to be timed.
  void Remove() { std::filesystem::remove_all(path_); }

 private:
  std::string path_;
};

std::unique_ptr<Recorder> OpenRecorder(const RunDirectory& directory,
                                       RecorderOptions options = {}) {
  auto recorder = Recorder::Open(directory.path(), options);
  if (!recorder) std::abort();
  return *std::move(recorder);
}

void CheckAllWritten(benchmark::State& state, Recorder& recorder, std::uint64_t events) {
  const Status closed = recorder.Close();
  const RecorderStats stats = recorder.Stats();
  if (!closed.ok() || stats.written_events != events || stats.dropped_values != 0) {
    state.SkipWithError("not every event was written");
  }
}

// From the first call until the files are closed; one producer.
void ScalarEventsEndToEnd(benchmark::State& state) {
  const auto events = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    RunDirectory directory;
    auto recorder = OpenRecorder(directory);
    const TagId tag = recorder->Intern("loss/auto");
    state.ResumeTiming();
    for (std::uint64_t i = 0; i < events; ++i) {
      recorder->AddScalar(tag, static_cast<std::int64_t>(i), 0.5 * static_cast<double>(i));
    }
    CheckAllWritten(state, *recorder, events);
    state.PauseTiming();
    recorder.reset();
    directory.Remove();
    state.ResumeTiming();
  }
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ScalarEventsEndToEnd)->Arg(2'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// The distribution of one call's cost, in a loop that does nothing else between bursts. Each sample
// times one call; the timer's own cost is measured and subtracted.
template <typename Call>
void CallerCost(benchmark::State& state, Call&& call) {
  constexpr std::size_t kCalls = 1'000'000;
  std::vector<std::int64_t> nanos(kCalls);
  std::int64_t timer = 0;
  for (auto _ : state) {
    RunDirectory directory;
    RecorderOptions options;
    options.writing.buffer_bytes = std::size_t{256} << 20;
    auto recorder = OpenRecorder(directory, options);
    const TagId tag = recorder->Intern("loss/auto");
    for (std::int64_t i = 0; i < 1000; ++i) call(*recorder, tag, i);  // Warm.
    std::vector<std::int64_t> empty(10'000);
    for (std::int64_t& sample : empty) {
      const std::int64_t begin = Now();
      sample = Now() - begin;
    }
    std::nth_element(empty.begin(), empty.begin() + 5'000, empty.end());
    timer = empty[5'000];
    const std::uint64_t allocations_before = allocations;
    for (std::size_t i = 0; i < kCalls; ++i) {
      const std::int64_t begin = Now();
      call(*recorder, tag, static_cast<std::int64_t>(i));
      nanos[i] = Now() - begin;
    }
    state.counters["allocations"] = static_cast<double>(allocations - allocations_before);
    CheckAllWritten(state, *recorder, kCalls + 1000);
  }
  std::sort(nanos.begin(), nanos.end());
  const auto at = [&](double share) {
    const auto index = static_cast<std::size_t>(share * static_cast<double>(kCalls - 1));
    return static_cast<double>(std::max<std::int64_t>(nanos[index] - timer, 0));
  };
  state.counters["p50_ns"] = at(0.5);
  state.counters["p99_ns"] = at(0.99);
  state.counters["p99.9_ns"] = at(0.999);
  state.counters["longest_us"] = at(1.0) / 1e3;
}

void CallerCostByTagId(benchmark::State& state) {
  CallerCost(state, [](Recorder& recorder, TagId tag, std::int64_t step) {
    recorder.AddScalar(tag, step, 0.25);
  });
}
BENCHMARK(CallerCostByTagId)->Unit(benchmark::kMillisecond)->Iterations(1);

void CallerCostByString(benchmark::State& state) {
  CallerCost(state, [](Recorder& recorder, TagId /*tag*/, std::int64_t step) {
    recorder.AddScalar("loss/auto", step, 0.25);
  });
}
BENCHMARK(CallerCostByString)->Unit(benchmark::kMillisecond)->Iterations(1);

// The mean cost of a call in bursts that fit into the buffer, without a timer around each call.
void CallerBurst(benchmark::State& state) {
  RunDirectory directory;
  RecorderOptions options;
  options.writing.buffer_bytes = std::size_t{64} << 20;
  auto recorder = OpenRecorder(directory, options);
  const TagId tag = recorder->Intern("loss/auto");
  constexpr std::int64_t kBurst = 10'000;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kBurst; ++i) recorder->AddScalar(tag, i, 0.25);
    state.PauseTiming();
    if (!recorder->Flush().ok()) state.SkipWithError("flush failed");
    state.ResumeTiming();
  }
  state.counters["ns/call"] = benchmark::Counter(
      static_cast<double>(kBurst),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(CallerBurst)->UseRealTime();

constexpr std::size_t kTensorElements = std::size_t{1} << 18;  // 1 MiB of float32.
constexpr std::size_t kTensors = 1024;  // Opening and closing is a hundredth of it.
constexpr std::int64_t kTensorBytes = kTensors * kTensorElements * sizeof(float);

void TensorEvents(benchmark::State& state) {
  const std::vector<float> values(kTensorElements, 0.5F);
  const std::int64_t shape[] = {static_cast<std::int64_t>(kTensorElements)};
  for (auto _ : state) {
    state.PauseTiming();
    RunDirectory directory;
    auto recorder = OpenRecorder(directory);
    const TagId tag = recorder->Intern("activation");
    state.ResumeTiming();
    for (std::size_t i = 0; i < kTensors; ++i) {
      recorder->AddTensor(tag, static_cast<std::int64_t>(i), View(values.data(), shape));
    }
    CheckAllWritten(state, *recorder, kTensors);
    state.PauseTiming();
    recorder.reset();
    directory.Remove();
    state.ResumeTiming();
  }
  state.SetBytesProcessed(state.iterations() * kTensorBytes);
}
BENCHMARK(TensorEvents)->Unit(benchmark::kMillisecond)->UseRealTime();

// What TensorEvents is held against: the same bytes copied once and written once.
void MemcpyAndWrite(benchmark::State& state) {
  const std::vector<float> values(kTensorElements, 0.5F);
  std::vector<float> copy(kTensorElements);
  for (auto _ : state) {
    state.PauseTiming();
    RunDirectory directory;
    const int fd =
        open((directory.path() + "/plain").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    state.ResumeTiming();
    for (std::size_t i = 0; i < kTensors; ++i) {
      std::memcpy(copy.data(), values.data(), kTensorElements * sizeof(float));
      benchmark::DoNotOptimize(copy.data());
      benchmark::ClobberMemory();
      if (write(fd, copy.data(), kTensorElements * sizeof(float)) < 0)
        state.SkipWithError("write failed");
    }
    close(fd);
    state.PauseTiming();
    directory.Remove();
    state.ResumeTiming();
  }
  state.SetBytesProcessed(state.iterations() * kTensorBytes);
}
BENCHMARK(MemcpyAndWrite)->Unit(benchmark::kMillisecond)->UseRealTime();

constexpr std::size_t kLargeElements = std::size_t{16} << 20;  // 64 MiB of float32.

// One call with a large value that the buffer has room for.
void LargeCall(benchmark::State& state, ValueKind kind) {
  const std::vector<float> values(kLargeElements, 0.5F);
  const std::int64_t shape[] = {static_cast<std::int64_t>(kLargeElements)};
  Value value;
  value.kind = kind;
  value.tensor = View(values.data(), shape);
  RunDirectory directory;
  RecorderOptions options;
  options.writing.buffer_bytes = std::size_t{256} << 20;
  auto recorder = OpenRecorder(directory, options);
  const TagId tag = recorder->Intern("weight");
  std::int64_t step = 0;
  const auto call = [&] { return recorder->Add(tag, ++step, value) == Outcome::kAccepted; };
  const auto flush = [&] {
    if (!recorder->Flush().ok()) state.SkipWithError("flush failed");
  };
  for (int i = 0; i < 4; ++i, flush()) call();  // Once round the buffer.
  for (auto _ : state) {
    if (!call()) state.SkipWithError("not accepted");
    state.PauseTiming();
    flush();
    state.ResumeTiming();
  }
}
void LargeTensorCall(benchmark::State& state) { LargeCall(state, ValueKind::kTensor); }
void LargeHistogramCall(benchmark::State& state) { LargeCall(state, ValueKind::kHistogram); }
BENCHMARK(LargeTensorCall)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);
BENCHMARK(LargeHistogramCall)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(10);

// What these are held against.
void LargeCopy(benchmark::State& state) {
  const std::vector<float> values(kLargeElements, 0.5F);
  std::vector<float> copy(kLargeElements);
  for (auto _ : state) {
    std::memcpy(copy.data(), values.data(), kLargeElements * sizeof(float));
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(LargeCopy)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sightline
