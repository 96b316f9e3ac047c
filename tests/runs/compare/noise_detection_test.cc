// How often the verdict on a run is right: 20 seeds of each kind of drift, and runs of other seeds.
//
// A made training: the loss falls as a power of the step, its noise resembles that of the step
// before, and a seed's luck stays with it. Runs of one seed see the same noise, as a port of a
// training does that reads the same data.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "sightline/runs/compare/run_comparison.h"
#include "sightline/tests/runs/compare/made_series.h"

namespace sightline {
namespace {

using testing::MadeComparand;
using testing::MadeSeries;
using testing::StepValues;

constexpr std::int64_t kSteps = 1000;
constexpr std::int64_t kDriftsAt = 401;
constexpr std::int64_t kNear = kSteps / 20;
constexpr unsigned kSeeds = 20;

// The loss at a step, and the noise that is in it.
using Drift = std::function<double(std::int64_t step, double loss, double noise)>;

double Same(std::int64_t /*step*/, double loss, double noise) { return loss + noise; }

double LossAt(double step) { return 1.5 + 8 * std::pow(step + 10, -0.4); }

std::shared_ptr<const Series> Training(unsigned seed, const Drift& drift,
                                       std::string tag = "loss") {
  std::mt19937 random(seed);
  // Not std::normal_distribution, whose numbers differ between libraries.
  const auto normal = [&random] {
    double sum = -2;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(random()) / 4294967296.0;
    return sum * std::sqrt(3.0);
  };
  const double luck = 0.004 * normal();
  double noise = 0;
  StepValues values;
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const double loss = LossAt(static_cast<double>(step));
    noise = 0.5 * noise + 0.015 * normal();
    values.emplace_back(step, drift(step, loss, (noise + luck) * loss));
  }
  return MadeSeries(values, tag);
}

struct Kind {
  const char* name;
  Drift drift;
};

// How far a run is beyond the step from which it drifts, as a share of what follows; 0 before.
double Beyond(std::int64_t step) {
  return step < kDriftsAt ? 0 : static_cast<double>(step - kDriftsAt) / double{kSteps - kDriftsAt};
}

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = {
      {"offset", [](auto step, double loss,
                    double noise) { return loss + noise + (step < kDriftsAt ? 0 : 0.2); }},
      {"slope", [](auto step, double loss,
                   double noise) { return loss + noise + 1.5 * loss * Beyond(step); }},
      {"scale", [](auto step, double loss,
                   double noise) { return (loss + noise) * (step < kDriftsAt ? 1 : 1.1); }},
      {"noise grows", [](auto step, double loss,
                         double noise) { return loss + noise * (step < kDriftsAt ? 1 : 5); }},
      {"NaN",
       [](auto step, double loss, double noise) {
         return step < kDriftsAt ? loss + noise : std::numeric_limits<double>::quiet_NaN();
       }},
      // Of half the learning rate, half of the progress is made: seen from the step at which it
      // differs.
      {"learning rate",
       [](auto step, double loss, double noise) {
         const auto now = static_cast<double>(step);
         const double slow = kDriftsAt / 4.0;
         return step < kDriftsAt ? loss + noise : LossAt(slow + (now - kDriftsAt) / 2) + noise;
       }},
  };
  return kinds;
}

// Of kSeeds runs that drift, those that are said to, at about the right step.
int Right(const Kind& kind, bool with_like) {
  int right = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Comparand a = MadeComparand({Training(seed, Same)});
    const Comparand b = MadeComparand({Training(seed, kind.drift)});
    std::vector<Comparand> like;
    for (unsigned i = 1; with_like && i <= 4; ++i)
      like.push_back(MadeComparand({Training(1000 * seed + i, Same)}));
    const RunComparison found = CompareRuns(a, b, {.like = like});
    const auto& leaves = found.tags.at(0).ranks.at(0).found.leaves;
    const bool is_right = found.verdict == RunVerdict::kDiffers && leaves &&
                          std::abs(leaves->step - kDriftsAt) <= kNear;
    right += is_right ? 1 : 0;
  }
  return right;
}

TEST(NoiseDetectionTest, EachKindOfDriftIsFoundAtItsStep) {
  for (const Kind& kind : Kinds()) EXPECT_GE(Right(kind, false), 19) << kind.name;
}

TEST(NoiseDetectionTest, EachKindOfDriftIsFoundBesideRunsOfOtherSeeds) {
  for (const Kind& kind : Kinds()) EXPECT_GE(Right(kind, true), 19) << kind.name;
}

TEST(NoiseDetectionTest, EqualRunsNeverDrift) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Comparand a = MadeComparand({Training(seed, Same)});
    const Comparand b = MadeComparand({Training(seed, Same)});
    EXPECT_EQ(CompareRuns(a, b, {.tolerance = 0}).verdict, RunVerdict::kAlike);
  }
}

// 100 pairs of other seeds, each beside three runs like it and with five tags.
TEST(NoiseDetectionTest, OfRunsOfOtherSeedsOneInAHundredDriftsAtMost) {
  int drifts = 0;
  for (unsigned pair = 1; pair <= 100; ++pair) {
    const auto run = [pair](unsigned number) {
      std::vector<std::shared_ptr<const Series>> series;
      series.reserve(5);
      for (unsigned tag = 0; tag < 5; ++tag) {
        series.push_back(
            Training(pair * 10'000 + number * 100 + tag, Same, "loss" + std::to_string(tag)));
      }
      return MadeComparand(series);
    };
    const std::vector<Comparand> like = {run(1), run(2), run(3)};
    const Comparand a = run(4);
    const Comparand b = run(5);
    drifts += CompareRuns(a, b, {.like = like}).verdict == RunVerdict::kAlike ? 0 : 1;
    EXPECT_EQ(CompareRuns(a, b, {}).verdict, RunVerdict::kDiffers) << "by the tolerance alone";
  }
  EXPECT_LE(drifts, 1);
}

}  // namespace
}  // namespace sightline
