#include "sightline/recorder/message/pr_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

constexpr double kRounded = 1e-5;  // By which a mean of float32 probabilities may exceed 0 to 1.

Result<std::vector<double>> NumbersOf(const TensorView& tensor) {
  SIGHTLINE_RETURN_IF_ERROR(tensor.Check());
  std::vector<double> numbers(tensor.ElementCount());
  ConvertToFloat64(tensor.dtype, tensor.data, numbers.size(), numbers.data());
  return numbers;
}

// What is at each threshold or above it: the counts are those of the thresholds themselves.
std::vector<double> SumsFromAbove(std::vector<double> counts) {
  for (std::size_t i = counts.size(); i-- > 1;) counts[i - 1] = counts[i] + counts[i - 1];
  return counts;
}

}  // namespace

Result<PrCurve> ComputePrCurve(const TensorView& labels, const TensorView& predictions,
                               std::int64_t num_thresholds,
                               const std::optional<TensorView>& weights) {
  const std::int64_t thresholds = std::min(num_thresholds, kMostThresholds);
  if (thresholds < 1) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("num_thresholds is {}, but must be at least 1", num_thresholds));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<double> truth, NumbersOf(labels));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<double> guess, NumbersOf(predictions));
  std::vector<double> weight = {1};
  if (weights) {
    SIGHTLINE_ASSIGN_OR_RETURN(weight, NumbersOf(*weights));
  }
  if (truth.size() != guess.size() || (weight.size() != 1 && weight.size() != truth.size())) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} labels and {} weights for {} predictions", truth.size(),
                             weight.size(), guess.size()));
  }
  const auto count = static_cast<std::size_t>(thresholds);
  std::vector<double> positives(count);
  std::vector<double> negatives(count);
  for (std::size_t i = 0; i < guess.size(); ++i) {
    if (!(guess[i] >= -kRounded && guess[i] <= 1 + kRounded)) {
      return Error(StatusCode::kInvalidArgument,
                   fmt::format("predictions are probabilities from 0 to 1, not {}", guess[i]));
    }
    const double reached =
        std::floor(std::clamp(guess[i], 0.0, 1.0) * static_cast<double>(thresholds - 1));
    const double of_sample = weight[weight.size() == 1 ? 0 : i];
    positives[static_cast<std::size_t>(reached)] += truth[i] * of_sample;
    negatives[static_cast<std::size_t>(reached)] += (1 - truth[i]) * of_sample;
  }
  PrCurve curve;
  curve.num_thresholds = thresholds;
  curve.true_positives = SumsFromAbove(std::move(positives));
  curve.false_positives = SumsFromAbove(std::move(negatives));
  constexpr double kTiny = 1e-7;
  for (std::size_t i = 0; i < count; ++i) {
    const double tp = curve.true_positives[i];
    const double fp = curve.false_positives[i];
    const double fn = curve.true_positives[0] - tp;
    curve.true_negatives.push_back(curve.false_positives[0] - fp);
    curve.false_negatives.push_back(fn);
    curve.precision.push_back(tp / std::max(kTiny, tp + fp));
    curve.recall.push_back(tp / std::max(kTiny, tp + fn));
  }
  return curve;
}

}  // namespace sightline
