// Which ranks leave the others: planted faults are named with their step, healthy trainings are
// not.
#include "sightline/runs/ranks/rank_comparison.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "sightline/tests/runs/ranks/ranks_of.h"

namespace sightline {
namespace {

using ::testing::IsEmpty;
using testing::Ranks;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RankComparison Compare(const Ranks& ranks) {
  const std::vector<std::vector<const Series*>> stages = {ranks.all()};
  return CompareRanks(stages, RankStepsOf(ranks.all()));
}

// Ranks that are all 100, except one from a step on.
Ranks AllButOne(std::int32_t count, std::int32_t odd, std::int64_t from, std::int64_t to,
                double value) {
  return {count, 1000, [=](auto rank, auto step) {
            return rank == odd && step >= from && step <= to ? value : 100;
          }};
}

TEST(RankComparisonTest, ARankThatLeavesIsSaidWithSideExcessAndStep) {
  const RankComparison found = Compare(AllButOne(16, 11, 301, 1000, 125));
  ASSERT_EQ(found.leaving.size(), 1U);
  const LeavingRank& one = found.leaving[0];
  EXPECT_EQ(one.rank, 11);
  EXPECT_TRUE(one.above);
  EXPECT_DOUBLE_EQ(one.excess.value(), 0.25);
  EXPECT_EQ(one.since, 301);
  EXPECT_EQ(one.until, std::nullopt);
  EXPECT_EQ(found.stages, 1U);
}

TEST(RankComparisonTest, ARankThatCameBackIsSaidWithItsLastStep) {
  const RankComparison found = Compare(AllButOne(8, 2, 301, 500, 80));
  ASSERT_EQ(found.leaving.size(), 1U);
  EXPECT_FALSE(found.leaving[0].above);
  EXPECT_DOUBLE_EQ(found.leaving[0].excess.value(), -0.2);
  EXPECT_EQ(found.leaving[0].since, 301);
  EXPECT_EQ(found.leaving[0].until, 500);
}

TEST(RankComparisonTest, FivePercentIsTheLeastDistance) {
  EXPECT_THAT(Compare(AllButOne(8, 2, 301, 1000, 105)).leaving, IsEmpty());
  EXPECT_EQ(Compare(AllButOne(8, 2, 301, 1000, 105.1)).leaving.size(), 1U);
}

TEST(RankComparisonTest, FewerStepsThanFourFifthsOfAWindowAreNoLeaving) {
  EXPECT_THAT(Compare(AllButOne(8, 2, 301, 315, 200)).leaving, IsEmpty());
  EXPECT_EQ(Compare(AllButOne(8, 2, 301, 316, 200)).leaving.size(), 1U);
}

TEST(RankComparisonTest, ThreeRanksAreTooFewToTellWhichOneIsOdd) {
  EXPECT_THAT(Compare(AllButOne(3, 2, 301, 1000, 200)).leaving, IsEmpty());
  EXPECT_EQ(Compare(AllButOne(3, 2, 301, 1000, 200)).stages, 0U);
  EXPECT_EQ(Compare(AllButOne(4, 2, 301, 1000, 200)).leaving.size(), 1U);
}

TEST(RankComparisonTest, BesideZeroThereIsNoFraction) {
  const Ranks ranks(8, 100, [](auto rank, auto) { return rank == 3 ? 1e-3 : 0; });
  const RankComparison found = Compare(ranks);
  ASSERT_EQ(found.leaving.size(), 1U);
  EXPECT_EQ(found.leaving[0].excess, std::nullopt);
  EXPECT_TRUE(found.leaving[0].above);
}

TEST(RankComparisonTest, WhoIsStillOutComesFirstThenTheFurthest) {
  const Ranks ranks(8, 1000, [](auto rank, auto step) {
    if (rank == 1) return 110.0;
    if (rank == 4) return 130.0;
    return rank == 6 && step < 300 ? 300.0 : 100.0;
  });
  const RankComparison found = Compare(ranks);
  ASSERT_EQ(found.leaving.size(), 3U);
  EXPECT_EQ(found.leaving[0].rank, 4);
  EXPECT_EQ(found.leaving[1].rank, 1);
  EXPECT_EQ(found.leaving[2].rank, 6);
}

TEST(RankComparisonTest, ARankThatIsNotFiniteIsSaidWithItsStep) {
  const RankComparison found = Compare(AllButOne(16, 4, 420, 1000, kNaN));
  EXPECT_THAT(found.leaving, IsEmpty());
  ASSERT_EQ(found.nonfinite.size(), 1U);
  EXPECT_EQ(found.nonfinite[0].rank, 4);
  EXPECT_EQ(found.nonfinite[0].since, 420);
  EXPECT_EQ(found.nonfinite[0].until, std::nullopt);
}

TEST(RankComparisonTest, ARankThatWasNotFiniteForAWhileIsSaidWithItsLastStep) {
  const RankComparison found = Compare(AllButOne(16, 4, 420, 440, kNaN));
  ASSERT_EQ(found.nonfinite.size(), 1U);
  EXPECT_EQ(found.nonfinite[0].since, 420);
  EXPECT_EQ(found.nonfinite[0].until, 440);
}

TEST(RankComparisonTest, TheRankThatWasTheFirstIsNamedIfAllFollow) {
  const Ranks ranks(
      8, 1000, [](auto rank, auto step) { return step >= (rank == 4 ? 420 : 421) ? kNaN : 1; });
  const RankComparison found = Compare(ranks);
  ASSERT_EQ(found.nonfinite.size(), 1U);
  EXPECT_EQ(found.nonfinite[0].rank, 4);
  EXPECT_EQ(found.nonfinite[0].since, 420);
}

TEST(RankComparisonTest, IfAllAreNotFiniteAtOnceNoneIsNamed) {
  const Ranks ranks(8, 1000, [](auto, auto step) { return step >= 420 ? kNaN : 1; });
  EXPECT_THAT(Compare(ranks).nonfinite, IsEmpty());
}

TEST(RankComparisonTest, ARankThatEndsOrBeginsApartMissesSteps) {
  const Ranks ranks(16, 1000, [](auto rank, auto step) {
    const bool absent = (rank == 9 && step > 700) || (rank == 12 && step < 100);
    return absent ? std::nullopt : std::optional<double>(1);
  });
  const RankComparison found = Compare(ranks);
  ASSERT_EQ(found.missing.size(), 2U);
  EXPECT_EQ(found.missing[0].rank, 9);
  EXPECT_EQ(found.missing[0].last, 700);
  EXPECT_TRUE(found.missing[0].early);
  EXPECT_FALSE(found.missing[0].late);
  EXPECT_EQ(found.missing[1].rank, 12);
  EXPECT_EQ(found.missing[1].first, 100);
  EXPECT_TRUE(found.missing[1].late);
}

TEST(RankComparisonTest, ARankThatIsAWindowBehindMissesNothing) {
  const Ranks ranks(16, 1000, [](auto rank, auto step) {
    return rank == 9 && step > 980 ? std::nullopt : std::optional<double>(1);
  });
  EXPECT_THAT(Compare(ranks).missing, IsEmpty());
}

TEST(RankComparisonTest, HalfOfTheRanksWentOnWithoutTheOthers) {
  const Ranks ranks(16, 1000, [](auto rank, auto step) {
    return rank >= 8 && step > 700 ? std::nullopt : std::optional<double>(1);
  });
  EXPECT_THAT(Compare(ranks).missing, IsEmpty()) << "an elastic training, not a lost rank";
}

TEST(RankComparisonTest, RanksAreComparedWithinTheirStage) {
  const Ranks ranks(16, 1000, [](auto rank, auto) { return rank < 12 ? 100.0 : 200.0; });
  EXPECT_EQ(Compare(ranks).leaving.size(), 4U) << "without stages";
  std::vector<std::vector<const Series*>> stages(4);
  for (std::size_t i = 0; i < 16; ++i) stages[i / 4].push_back(ranks.all()[i]);
  const RankComparison found = CompareRanks(stages, RankStepsOf(ranks.all()));
  EXPECT_THAT(found.leaving, IsEmpty());
  EXPECT_EQ(found.stages, 4U);
}

// Trainings with noise. Step 1 to 1,000, every second one recorded.
constexpr std::int64_t kLast = 1000;
constexpr std::int64_t kNear = kLast / 20;

// Noise of one rank, with a standard deviation or a scale of about 1.
class Noise {
 public:
  static constexpr int kShapes = 6;
  Noise(int shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  double Next() {
    switch (shape_) {
      case 0:
        return normal_(random_);
      case 1:
        return std::uniform_real_distribution(-1.7, 1.7)(random_);
      case 2:
        return std::exponential_distribution(1.0)(random_);  // One-sided.
      case 3:
        return std::student_t_distribution(2.0)(random_);  // Heavy tails.
      case 4:
        return std::round(normal_(random_));  // Steps of a coarse clock.
      default:
        return level_ = 0.9 * level_ + 0.44 * normal_(random_);  // It drifts.
    }
  }

 private:
  int shape_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double level_ = 0;
};

enum class Kind : std::uint8_t { kTime, kLoss };

// An iteration time around 200 ms with noise of 2 %, or a loss that falls with noise of 4 %.
class Training {
 public:
  Training(std::uint64_t seed, std::int32_t ranks, Kind kind) : kind_(kind) {
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      noise_.emplace_back(static_cast<int>(seed % Noise::kShapes),
                          seed * 1000 + static_cast<std::uint64_t>(rank));
    }
  }

  double At(std::int32_t rank, std::int64_t step) {
    const double noise = noise_[static_cast<std::size_t>(rank)].Next();
    if (kind_ == Kind::kTime) return 200 * (1 + 0.02 * noise);
    return (0.5 + 8 / std::sqrt(static_cast<double>(step))) * (1 + 0.04 * noise);
  }

 private:
  Kind kind_;
  std::vector<Noise> noise_;
};

struct Planted {
  std::uint64_t seed;
  std::int32_t ranks;  // 16 to 256.
  std::int32_t odd;
  std::int64_t from;

  explicit Planted(std::uint64_t number)
      : seed(number),
        ranks(std::int32_t{16} << (number % 5)),
        odd(static_cast<std::int32_t>(number * 7 % static_cast<std::uint64_t>(ranks))),
        from(100 + static_cast<std::int64_t>(number * 37 % 700)) {}

  // The training, with the odd rank's value changed from its step on.
  Ranks Run(Kind kind, const std::function<std::optional<double>(double, std::int64_t)>& change) {
    Training training(seed, ranks, kind);
    return {ranks, kLast,
            [&](auto rank, auto step) -> std::optional<double> {
              const double value = training.At(rank, step);
              return rank == odd && step >= from ? change(value, step - from) : value;
            },
            2};
  }
  std::string Text() const { return "seed " + std::to_string(seed); }
};

void ExpectOne(const RankComparison& found, const Planted& planted) {
  ASSERT_EQ(found.leaving.size(), 1U) << planted.Text();
  EXPECT_EQ(found.leaving[0].rank, planted.odd) << planted.Text();
  EXPECT_TRUE(found.leaving[0].above) << planted.Text();
  EXPECT_NEAR(static_cast<double>(found.leaving[0].since), static_cast<double>(planted.from), kNear)
      << planted.Text();
  EXPECT_EQ(found.leaving[0].until, std::nullopt) << planted.Text();
  EXPECT_THAT(found.nonfinite, IsEmpty());
  EXPECT_THAT(found.missing, IsEmpty());
}

TEST(PlantedRanksTest, ASlowRankIsNamedWithItsStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Planted planted(seed);
    const Ranks ranks = planted.Run(Kind::kTime, [](double value, auto) { return value * 1.25; });
    const RankComparison found = Compare(ranks);
    ExpectOne(found, planted);
    ASSERT_EQ(found.leaving.size(), 1U);
    EXPECT_NEAR(found.leaving[0].excess.value(), 0.25, 0.03) << planted.Text();
  }
}

TEST(PlantedRanksTest, ADivergingRankIsNamedWithItsStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Planted planted(seed);
    const Ranks ranks = planted.Run(Kind::kLoss, [](double value, std::int64_t since) {
      return value * std::exp(0.03 * static_cast<double>(since));
    });
    ExpectOne(Compare(ranks), planted);
  }
}

TEST(PlantedRanksTest, ALateRankIsNamedWithItsStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Planted planted(seed);
    const Ranks ranks = planted.Run(Kind::kLoss, [](auto, auto) { return std::nullopt; });
    const RankComparison found = Compare(ranks);
    EXPECT_THAT(found.leaving, IsEmpty()) << planted.Text();
    ASSERT_EQ(found.missing.size(), 1U) << planted.Text();
    EXPECT_EQ(found.missing[0].rank, planted.odd) << planted.Text();
    EXPECT_TRUE(found.missing[0].early) << planted.Text();
    EXPECT_NEAR(static_cast<double>(found.missing[0].last), static_cast<double>(planted.from), 2);
  }
}

TEST(PlantedRanksTest, ANaNRankIsNamedWithItsStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Planted planted(seed);
    const Ranks ranks = planted.Run(Kind::kLoss, [](auto, auto) { return kNaN; });
    const RankComparison found = Compare(ranks);
    EXPECT_THAT(found.leaving, IsEmpty()) << planted.Text();
    ASSERT_EQ(found.nonfinite.size(), 1U) << planted.Text();
    EXPECT_EQ(found.nonfinite[0].rank, planted.odd) << planted.Text();
    EXPECT_NEAR(static_cast<double>(found.nonfinite[0].since), static_cast<double>(planted.from),
                2);
  }
}

void ExpectNobody(const RankComparison& found, std::uint64_t seed) {
  EXPECT_THAT(found.leaving, IsEmpty()) << "seed " << seed;
  EXPECT_THAT(found.nonfinite, IsEmpty()) << "seed " << seed;
  EXPECT_THAT(found.missing, IsEmpty()) << "seed " << seed;
}

std::int32_t RanksOfSeed(std::uint64_t seed) { return std::int32_t{8} << (seed % 5); }

TEST(HealthyRanksTest, NoiseNamesNobody) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Training training(seed, RanksOfSeed(seed), seed % 2 == 0 ? Kind::kTime : Kind::kLoss);
    const Ranks ranks(
        RanksOfSeed(seed), kLast, [&](auto rank, auto step) { return training.At(rank, step); }, 2);
    ExpectNobody(Compare(ranks), seed);
  }
}

TEST(HealthyRanksTest, WarmUpAndCommonSpikesNameNobody) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Training training(seed, RanksOfSeed(seed), Kind::kTime);
    const Ranks ranks(
        RanksOfSeed(seed), kLast,
        [&](auto rank, auto step) {
          const double value = training.At(rank, step);
          // Compilation takes each rank another time, checkpoints take all of them equally long.
          if (step < 16) return value * (20 + rank % 7);
          return step % 100 == 1 ? value * 8 : value;
        },
        2);
    ExpectNobody(Compare(ranks), seed);
  }
}

TEST(HealthyRanksTest, RestartsNameNobody) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Training training(seed, RanksOfSeed(seed), Kind::kLoss);
    Ranks ranks(0, 0, {});
    for (std::int32_t rank = 0; rank < RanksOfSeed(seed); ++rank) {
      SeriesPoints points;
      // Each rank was killed a few steps after the checkpoint, and began again there.
      for (std::int64_t step = 1; step < 620 + rank % 5; ++step)
        Ranks::Add(points, step, training.At(rank, step));
      for (std::int64_t step = 600; step <= kLast; ++step)
        Ranks::Add(points, step, training.At(rank, step));
      ranks.Add({ContentKind::kScalar, "", "loss", rank}, std::move(points));
    }
    ExpectNobody(Compare(ranks), seed);
  }
}

TEST(HealthyRanksTest, StagesNameNobody) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::int32_t count = RanksOfSeed(seed) * 2;
    Training training(seed, count, Kind::kTime);
    const Ranks ranks(
        count, kLast,
        [&](auto rank, auto step) {
          return training.At(rank, step) * (rank < count / 4 ? 1.3 : 1);
        },
        2);
    std::vector<std::vector<const Series*>> stages(4);
    for (const Series* rank : ranks.all())
      stages[static_cast<std::size_t>(rank->key().rank * 4 / count)].push_back(rank);
    ExpectNobody(CompareRanks(stages, RankStepsOf(ranks.all())), seed);
  }
}

}  // namespace
}  // namespace sightline
