// How much longer a training's step takes while a profile of it is recorded: a step mark, five
// phases, and samples of the system every 100 ms. Blocks of steps with and without a profile
// alternate within one process, since two processes would differ by more than this.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/tests/bench/seconds_since.h"
#include "sightline/tools/demo/digits.h"
#include "sightline/tools/demo/digits_trainer.h"

namespace sightline {
namespace {

using bench::SecondsSince;
using SteadyClock = std::chrono::steady_clock;

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The demo's training, of so many epochs that the learning rate hardly falls.
class Training {
 public:
  explicit Training(const demo::Digits& digits) : trainer_(digits, {.epochs = 100'000}) {}

  // Seconds of `steps` steps. Their spans are recorded where a profile is.
  double Train(int steps) {
    const auto begin = SteadyClock::now();
    for (int i = 0; i < steps; ++i) {
      const profiler::StepScope step(trainer_.step() + 1);
      trainer_.TrainStep();  // Four phases: batch, forward, backward, optimizer.
      SIGHTLINE_SPAN("metrics");
      benchmark::DoNotOptimize(trainer_.loss());
    }
    return SecondsSince(begin);
  }

 private:
  demo::DigitsTrainer trainer_;
};

struct Blocks {
  int pairs = 1;
  int steps = 0;
  int settling = 0;  // Steps before a block of either kind, in which a profile gets going.
};

// Ratios of blocks with a profile to their neighbours without; nothing where one cannot be written.
std::vector<double> RatiosOf(Training& training, const Blocks& blocks, const std::string& folder) {
  const auto plain = [&] {
    training.Train(blocks.settling);
    return training.Train(blocks.steps);
  };
  std::vector<double> ratios;
  for (int pair = 0; pair < blocks.pairs; ++pair) {
    // Which goes first alternates, so that a drift of the machine's speed cancels out.
    double without = pair % 2 == 0 ? plain() : 0;
    const auto profile = profiler::ProfileRecorder::Start({.directory = folder});
    if (!profile) return {};
    training.Train(blocks.settling);
    const double with = training.Train(blocks.steps);
    const auto stats = (*profile)->Stop();
    if (!stats || stats->dropped != 0) return {};
    if (pair % 2 != 0) without = plain();
    ratios.push_back(with / without);
  }
  return ratios;
}

void BM_StepWithAProfile(benchmark::State& state) {
  const char* const wanted = std::getenv("SIGHTLINE_BLOCK_MS");
  const double block_seconds = (wanted == nullptr ? 250 : std::atof(wanted)) / 1000;
  const auto digits = demo::ReadDigits(demo::EmbeddedDigits());
  if (!digits) return state.SkipWithError("the digits could not be read");
  const char* const scratch = std::getenv("TMPDIR");
  const std::string folder = std::string(scratch == nullptr ? "/tmp" : scratch) + "/profile_steps";

  Training training(*digits);
  training.Train(100);
  const double step_seconds = training.Train(100) / 100;
  Blocks blocks{.pairs = 12};
  blocks.steps = std::max(10, static_cast<int>(block_seconds / step_seconds));
  blocks.settling = blocks.steps / 4;
  for (auto _ : state) {
    const std::vector<double> ratios = RatiosOf(training, blocks, folder);
    if (ratios.empty()) return state.SkipWithError("a profile could not be written completely");
    state.counters["percent"] = 100 * (Median(ratios) - 1);
  }
  state.counters["step_us"] = 1e6 * step_seconds;
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}
BENCHMARK(BM_StepWithAProfile)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline
