#include "sightline/tools/demo/overhead.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tools/demo/digits_trainer.h"
#include "sightline/tools/demo/recording.h"

namespace sightline::demo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBlockSeconds = 0.25;
// The recorder's threads work in bursts, at most half of this apart. So unmeasured steps come
// before each recorded block.
constexpr std::chrono::milliseconds kFlushInterval{100};
constexpr double kSettleSeconds = 0.1;
constexpr int kWarmUpSteps = 100;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The value that is larger than `share` of the others. REQUIRES: not empty.
double Quantile(std::vector<double> values, double share) {
  const std::ptrdiff_t at = std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

class Experiment {
 public:
  Experiment(const Digits& digits, SummaryMonitor& monitor)
      // With so many epochs, the learning rate hardly falls: every block does the same work.
      : trainer_(digits, {.epochs = 100'000, .seed = 2}), monitor_(monitor) {}

  Overhead Run(int pairs) {
    Overhead result;
    result.pairs = pairs;
    Train(kWarmUpSteps);
    result.steps_a_block = std::max(10, StepsIn(kBlockSeconds));
    settle_steps_ = std::max(4, StepsIn(kSettleSeconds));
    std::vector<double> percents;
    std::vector<double> plain_blocks;
    for (int pair = 0; pair < pairs; ++pair) {
      // The order alternates, so that a drift of the machine's speed cancels out.
      const bool plain_first = pair % 2 == 0;
      double plain = plain_first ? Train(result.steps_a_block) : 0;
      const double recorded = TrainRecorded(result.steps_a_block);
      if (!plain_first) plain = Train(result.steps_a_block);
      percents.push_back(100 * (recorded / plain - 1));
      plain_blocks.push_back(plain);
    }
    result.percent = Quantile(percents, 0.5);
    result.percent_low = Quantile(percents, 0.25);
    result.percent_high = Quantile(percents, 0.75);
    result.step_milliseconds = 1e3 * Quantile(plain_blocks, 0.5) / result.steps_a_block;
    result.caller_microseconds = 1e6 * caller_seconds_ / recorded_steps_;
    result.worker_microseconds = 1e6 * monitor_.Stats().worker_seconds / recorded_steps_;
    return result;
  }

 private:
  int StepsIn(double seconds) {
    const double step = Train(kWarmUpSteps) / kWarmUpSteps;
    return static_cast<int>(seconds / step);
  }

  // Seconds of `steps` steps.
  double Train(int steps) {
    const auto begin = Clock::now();
    for (int i = 0; i < steps; ++i) trainer_.TrainStep();
    return SecondsSince(begin);
  }

  double TrainAndRecord(int steps) {
    const auto begin = Clock::now();
    for (int i = 0; i < steps; ++i) {
      trainer_.TrainStep();
      const auto call = Clock::now();
      monitor_.EndStep(trainer_.step(), [&](StepInfo& info) { FillStep(trainer_, info); });
      caller_seconds_ += SecondsSince(call);
    }
    recorded_steps_ += steps;
    return SecondsSince(begin);
  }

  double TrainRecorded(int steps) {
    TrainAndRecord(settle_steps_);
    const double seconds = TrainAndRecord(steps);
    // Write everything now, not during the next block.
    static_cast<void>(monitor_.recorder()->Flush());
    return seconds;
  }

  DigitsTrainer trainer_;
  SummaryMonitor& monitor_;
  int settle_steps_ = 0;
  double caller_seconds_ = 0;
  int recorded_steps_ = 0;
};

}  // namespace

Result<Overhead> MeasureOverhead(const Digits& digits, const SummaryOptions& options,
                                 const std::string& scratch_directory, int pairs) {
  std::error_code error;
  if (!std::filesystem::create_directories(scratch_directory, error)) {
    return Error(StatusCode::kAlreadyExists,
                 fmt::format("{}: cannot create this directory to measure in{}", scratch_directory,
                             error ? ": " + error.message() : ", since it already exists"));
  }
  const auto remove = [&](const void*) { std::filesystem::remove_all(scratch_directory, error); };
  const std::unique_ptr<const void, decltype(remove)> cleaner(&scratch_directory, remove);

  SummaryOptions quiet = options;
  quiet.say = [](std::string_view) {};
  quiet.writing.flush_interval = kFlushInterval;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto monitor, SummaryMonitor::Create(scratch_directory, quiet));
  if (!monitor->enabled()) return Error(StatusCode::kFailedPrecondition, "recording is disabled");
  const Overhead result = Experiment(digits, *monitor).Run(std::max(pairs, 1));
  SIGHTLINE_RETURN_IF_ERROR(monitor->End());
  return result;
}

}  // namespace sightline::demo
