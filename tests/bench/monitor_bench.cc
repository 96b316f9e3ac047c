// SummaryMonitor: what a step costs the training thread, recorded and not.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/collectors/summary_monitor.h"

namespace sightline {
namespace {

// A monitor on tmpfs, where the machine has one.
class MonitoredRun {
 public:
  explicit MonitoredRun(std::int64_t collect_freq, std::vector<Frequency> frequencies = {}) {
    const bool tmpfs = std::filesystem::is_directory("/dev/shm");
    directory_ = std::string(tmpfs ? "/dev/shm" : "/tmp") + "/sightline_bench_XXXXXX";
    if (mkdtemp(directory_.data()) == nullptr) std::abort();
    SummaryOptions options{.collect_freq = collect_freq, .collect_tensor_freq = collect_freq};
    options.frequencies = std::move(frequencies);
    options.say = [](std::string_view) {};
    auto created = SummaryMonitor::Create(directory_, options);
    if (!created) std::abort();
    monitor_ = *std::move(created);
  }
  ~MonitoredRun() {
    monitor_.reset();
    std::filesystem::remove_all(directory_);
  }
  MonitoredRun(const MonitoredRun&) = delete;
  MonitoredRun& operator=(const MonitoredRun&) = delete;

  SummaryMonitor& monitor() { return *monitor_; }

 private:
  std::string directory_;
  std::unique_ptr<SummaryMonitor> monitor_;
};

constexpr std::int64_t kRarely = std::int64_t{1} << 60;

// What the demo records of a step: 14,000 parameters, a batch of images, activations.
struct Network {
  std::vector<float> weights = std::vector<float>(13'000, 0.5F);
  std::vector<float> biases = std::vector<float>(100, 0.5F);
  std::vector<float> images = std::vector<float>(32 * 64, 0.25F);

  void Fill(StepInfo& info) const {
    info.loss = 0.5;
    info.learning_rate = 0.01;
    info.input.Set(images.data(), {32, 1, 8, 8});
    info.parameters.Add("weight", weights.data(), {13'000});
    info.parameters.Add("bias", biases.data(), {100});
    info.tensors.Add("activation", images.data(), {32, 64});
  }
};

void SkippedStepWithAFunction(benchmark::State& state) {
  MonitoredRun run(kRarely);
  const Network network;
  std::int64_t step = 1;
  for (auto _ : state) {
    run.monitor().EndStep(++step, [&](StepInfo& info) { network.Fill(info); });
  }
  if (run.monitor().Stats().accepted_values != 0) state.SkipWithError("a step was recorded");
}
BENCHMARK(SkippedStepWithAFunction);

void SkippedStepWithAStepInfo(benchmark::State& state) {
  MonitoredRun run(kRarely);
  const Network network;
  StepInfo info;
  network.Fill(info);
  info.step = 1;
  for (auto _ : state) {
    ++info.step;
    benchmark::DoNotOptimize(info.loss);
    run.monitor().EndStep(info);
  }
  if (run.monitor().Stats().accepted_values != 0) state.SkipWithError("a step was recorded");
}
BENCHMARK(SkippedStepWithAStepInfo);

void StepWhileSwitchedOff(benchmark::State& state) {
  setenv("SIGHTLINE_DISABLE", "1", 1);
  MonitoredRun run(1);
  unsetenv("SIGHTLINE_DISABLE");
  const Network network;
  std::int64_t step = 0;
  for (auto _ : state) {
    run.monitor().EndStep(++step, [&](StepInfo& info) { network.Fill(info); });
  }
}
BENCHMARK(StepWhileSwitchedOff);

// Loss and learning rate of every step.
void RecordedStepOfScalars(benchmark::State& state) {
  MonitoredRun run(1);
  std::int64_t step = 0;
  for (auto _ : state) {
    run.monitor().EndStep(++step, [](StepInfo& info) {
      info.loss = 0.5;
      info.learning_rate = 0.01;
    });
  }
}
BENCHMARK(RecordedStepOfScalars)->Iterations(1'000'000);

// Steps so far apart that the recorder's threads keep up, as in a training.
void RecordedStepOfEverything(benchmark::State& state) {
  MonitoredRun run(1);
  const Network network;
  std::int64_t step = 0;
  for (auto _ : state) {
    run.monitor().EndStep(++step, [&](StepInfo& info) { network.Fill(info); });
    if (step % 50 == 0) {
      state.PauseTiming();
      static_cast<void>(run.monitor().recorder()->Flush());
      state.ResumeTiming();
    }
  }
}
BENCHMARK(RecordedStepOfEverything)->Iterations(2'000);

// Whether a value would be recorded, at a step that is not; with frequencies of its own.
void ShouldRecordOfASkippedStep(benchmark::State& state) {
  MonitoredRun run(kRarely, {{.tag = "grad/", .every_steps = kRarely}});
  std::int64_t step = 1;
  run.monitor().EndStep(step, [](StepInfo& info) { info.loss = 0.5; });
  for (auto _ : state) benchmark::DoNotOptimize(run.monitor().ShouldRecord("grad/fc", ++step));
}
BENCHMARK(ShouldRecordOfASkippedStep);

std::size_t ResidentBytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Every kind at every step: how much more memory is resident 100,000 steps after a warm-up.
void LongTraining(benchmark::State& state) {
  constexpr std::int64_t kWarmUp = 20'000;
  constexpr std::int64_t kSteps = 100'000;
  const std::vector<float> weights(256, 0.5F);
  for (auto _ : state) {
    MonitoredRun run(1);
    std::size_t before = 0;
    for (std::int64_t step = 1; step <= kWarmUp + kSteps; ++step) {
      run.monitor().EndStep(step, [&](StepInfo& info) {
        info.loss = 0.5;
        info.learning_rate = 0.01;
        info.input.Set(weights.data(), {1, 1, 16, 16});
        info.parameters.Add("weight", weights.data(), {256});
        info.tensors.Add("activation", weights.data(), {256});
      });
      if (step == kWarmUp) before = ResidentBytes();
    }
    const auto grown = static_cast<double>(ResidentBytes()) - static_cast<double>(before);
    state.counters["grown_kib"] = grown / 1024;
  }
}
BENCHMARK(LongTraining)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline
