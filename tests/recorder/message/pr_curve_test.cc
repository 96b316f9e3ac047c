#include "sightline/recorder/message/pr_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;

constexpr std::int64_t kFive[] = {5};
constexpr std::int64_t kOne[] = {1};
constexpr std::int64_t kThree[] = {3};

const double kLabels[] = {1, 0, 1, 1, 0};
const double kPredictions[] = {0.9, 0.8, 0.5, 0.1, 0.0};

TEST(PrCurveTest, CountsFromEachThresholdOn) {
  const double weights[] = {1, 2, 1, 1, 1};
  const auto curve =
      ComputePrCurve(View(kLabels, kFive), View(kPredictions, kFive), 3, View(weights, kFive));
  ASSERT_THAT(curve, IsOk());
  EXPECT_EQ(curve->num_thresholds, 3);
  EXPECT_THAT(curve->true_positives, ElementsAre(3, 2, 0));  // From 0, 0.5 and 1 on.
  EXPECT_THAT(curve->false_positives, ElementsAre(3, 2, 0));
  EXPECT_THAT(curve->true_negatives, ElementsAre(0, 1, 3));
  EXPECT_THAT(curve->false_negatives, ElementsAre(0, 1, 3));
  EXPECT_THAT(curve->precision, ElementsAre(0.5, 0.5, 0));
  EXPECT_THAT(curve->recall, ElementsAre(1, 2.0 / 3, 0));
}

TEST(PrCurveTest, OneWeightIsThatOfEverySample) {
  const float two[] = {2};
  const auto curve =
      ComputePrCurve(View(kLabels, kFive), View(kPredictions, kFive), 2, View(two, kOne));
  ASSERT_THAT(curve, IsOk());
  EXPECT_THAT(curve->true_positives, ElementsAre(6, 0));
}

TEST(PrCurveTest, UsesTheMostThresholdsThatTensorBoardShows) {
  const auto curve = ComputePrCurve(View(kLabels, kFive), View(kPredictions, kFive), 1000);
  ASSERT_THAT(curve, IsOk());
  EXPECT_EQ(curve->num_thresholds, 127);
  EXPECT_EQ(curve->recall.size(), 127U);
}

TEST(PrCurveTest, TakesProbabilitiesThatRoundingMovedBeyondTheirRange) {
  const float labels[] = {1, 0, 1};
  const double predictions[] = {1 + 1e-6, -1e-6, 1};
  const auto curve = ComputePrCurve(View(labels, kThree), View(predictions, kThree), 2);
  ASSERT_THAT(curve, IsOk());
  EXPECT_THAT(curve->true_positives, ElementsAre(2, 2));
  EXPECT_THAT(curve->false_positives, ElementsAre(1, 0));
}

TEST(PrCurveTest, RefusesWhatIsNoCurve) {
  const auto fault = [](std::span<const std::int64_t> labels, const double* predictions,
                        std::int64_t thresholds) {
    const auto curve = ComputePrCurve(View(kLabels, labels), View(predictions, kFive), thresholds);
    return curve ? Status() : curve.error();
  };
  EXPECT_THAT(fault(kFive, kPredictions, 0),
              IsStatus(StatusCode::kInvalidArgument, "num_thresholds is 0"));
  EXPECT_THAT(fault(kThree, kPredictions, 2),
              IsStatus(StatusCode::kInvalidArgument, "3 labels and 1 weights for 5 predictions"));
  for (const double wrong : {1.1, -0.1, std::nan("")}) {
    const double predictions[] = {0, 0, wrong, 0, 0};
    EXPECT_THAT(fault(kFive, predictions, 2),
                IsStatus(StatusCode::kInvalidArgument, "probabilities from 0 to 1"));
  }
}

}  // namespace
}  // namespace sightline
