// 40 faults, planted in runs that grow second by second, are told within 5 s of the moment at which
// they hold; 200 healthy runs say nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sightline/tests/watch/growing_runs.h"

namespace sightline::watch {
namespace {

using sightline::testing::GrowingRuns;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSeconds = 130;
constexpr int kStepsASecond = 5;
constexpr double kMostSeconds = 5;

const std::vector<std::string> kRules = {
    "nan",        "ended(1m)", "spike(loss)",        "plateau(loss,300)",
    "rank(time)", "device",    "last(\"acc\") < 0.1"};

// What is wrong with a run, and from which second on.
struct Fault {
  std::string rule;  // Empty: nothing.
  int second = 0;
  int variant = 0;
};

// A training of some ranks, one or four and more.
class Training {
 public:
  Training(std::string name, unsigned seed, int ranks, Fault fault)
      : name_(std::move(name)), ranks_(ranks), fault_(std::move(fault)), random_(seed) {
    noise_ = std::uniform_real_distribution<double>(0.002, 0.08)(random_);
    decay_ = std::uniform_real_distribution<double>(0.001, 0.006)(random_);
    start_ = std::uniform_real_distribution<double>(1, 12)(random_);
  }

  const std::string& name() const { return name_; }
  const Fault& fault() const { return fault_; }
  // Whether the rule holds by what was recorded in this second.
  bool Record(GrowingRuns& runs, int second) {
    const bool faulty = !fault_.rule.empty() && second >= fault_.second;
    if (faulty && fault_.rule == "ended(1m)") return second == fault_.second + 59;
    for (int i = 0; i < kStepsASecond; ++i) RecordStep(runs, second, i, faulty);
    if (second % 10 == 0) Sample(runs, second, faulty);
    return Holds(second);
  }

 private:
  void RecordStep(GrowingRuns& runs, int second, int i, bool faulty) {
    const int step = second * kStepsASecond + i;
    for (int rank = 0; rank < ranks_; ++rank) {
      double loss =
          start_ * (0.2 + 0.8 * std::exp(-decay_ * step)) * (1 + noise_ * normal_(random_));
      double time = 0.3 * (1 + 0.02 * normal_(random_));
      if (faulty) Spoil(second, i, step, rank, loss, time);
      Add(runs, rank, "loss", step, loss);
      Add(runs, rank, "time", step, time);
    }
    const bool bad = faulty && fault_.rule.starts_with("last");
    Add(runs, 0, "acc", step, bad ? 0.05 : 0.2 + 0.5 * (1 - std::exp(-decay_ * step)));
  }
  void Spoil(int second, int i, int step, int rank, double& loss, double& time) const {
    const bool first = second == fault_.second && i == 0;
    if (fault_.rule == "nan" && (rank == fault_.variant % ranks_ || step % 2 == 0))
      loss = fault_.variant % 2 == 0 ? kNan : -kInfinity;
    if (fault_.rule == "spike(loss)" && first) loss *= 3 + fault_.variant;
    if (fault_.rule == "plateau(loss,300)") loss = start_ * (first ? 0.01 : 0.7);
    if (fault_.rule == "rank(time)" && rank == fault_.variant % ranks_)
      time *= fault_.variant % 2 == 0 ? 1.5 : 0.6;
  }
  void Sample(GrowingRuns& runs, int second, bool faulty) const {
    const bool ill = faulty && fault_.rule == "device";
    for (int rank = 0; rank < ranks_; ++rank) {
      const bool bad = ill && rank == ranks_ - 1;
      const std::string device = "system/npu" + std::to_string(rank);
      Add(runs, rank, "system/memory_bytes", second * kStepsASecond, 1e9);
      if (bad && fault_.variant % 2 == 0) continue;
      Add(runs, rank, device + "/use_percent", second * kStepsASecond, 92);
      Add(runs, rank, device + "/health", second * kStepsASecond, bad ? 3 : 0);
    }
  }
  bool Holds(int second) const {
    if (fault_.rule == "rank(time)")  // 16 of 20 steps, which is 80 % of a window.
      return second == fault_.second + 16 / kStepsASecond;
    if (fault_.rule == "plateau(loss,300)") return second == fault_.second + 300 / kStepsASecond;
    if (fault_.rule == "device" && fault_.variant % 2 == 0)  // Three samples without an answer.
      return second == (fault_.second + 9) / 10 * 10 + 20;
    if (fault_.rule == "device") return second == (fault_.second + 9) / 10 * 10;
    return second == fault_.second;
  }

  // With one rank, there is no folder of ranks.
  void Add(GrowingRuns& runs, int rank, const std::string& tag, int step, double value) const {
    if (ranks_ == 1) {
      runs.Add(name_, tag, step, value);
    } else {
      runs.Add(name_, rank, tag, step, value);
    }
  }

  std::string name_;
  int ranks_;
  Fault fault_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double noise_ = 0;
  double decay_ = 0;
  double start_ = 0;
};

// Lets the trainings grow and looks each second. Returns what was told, "run rule", with the second
// at which it was told first; and of each run the second at which its fault holds.
struct Told {
  std::map<std::string, int> at;
  std::map<std::string, int> holds_at;
};
Told Grow(std::vector<Training>& trainings) {
  GrowingRuns runs;
  RunWatch watch = runs.Watch(kRules);
  Told told;
  for (int second = 0; second < kSeconds; ++second) {
    for (Training& training : trainings)
      if (training.Record(runs, second)) told.holds_at.emplace(training.name(), second);
    for (const WatchEvent& event : runs.Events(watch))
      if (!event.over) told.at.emplace(event.run + " " + event.rule, second);
  }
  return told;
}

TEST(PlantedFaultsTest, FortyAreToldWithinFiveSeconds) {
  std::vector<Training> trainings;
  for (int i = 0; i < 40; ++i) {
    const std::string& rule = kRules[static_cast<std::size_t>(i) % kRules.size()];
    const int second = rule.starts_with("plateau") ? 60 : 30 + i;
    trainings.emplace_back("fault" + std::to_string(i), 1000U + static_cast<unsigned>(i),
                           rule == "rank(time)" ? 8
                           : i % 2 == 0         ? 1
                                                : 4,
                           Fault{rule, second, i});
  }
  const Told told = Grow(trainings);
  std::vector<std::string> late;
  for (const Training& training : trainings) {
    const auto at = told.at.find(training.name() + " " + training.fault().rule);
    const auto holds = told.holds_at.find(training.name());
    ASSERT_NE(holds, told.holds_at.end()) << training.name();
    if (at == told.at.end() || at->second < holds->second ||
        at->second > holds->second + kMostSeconds) {
      late.push_back(training.name() + " " + training.fault().rule + ": holds at " +
                     std::to_string(holds->second) + ", told at " +
                     (at == told.at.end() ? "never" : std::to_string(at->second)));
    }
  }
  EXPECT_THAT(late, IsEmpty());
  EXPECT_EQ(told.holds_at.size(), 40U);
}

TEST(PlantedFaultsTest, TwoHundredHealthyRunsSayNothing) {
  // In parts, so that few are in memory.
  for (int part = 0; part < 20; ++part) {
    std::vector<Training> trainings;
    for (int i = 0; i < 10; ++i) {
      trainings.emplace_back("healthy" + std::to_string(i), static_cast<unsigned>(10 * part + i),
                             i < 3 ? 4 : 1, Fault{});
    }
    EXPECT_THAT(Grow(trainings).at, IsEmpty()) << "part " << part;
  }
}

}  // namespace
}  // namespace sightline::watch
