// PrCurve: the precision and recall of a classifier by threshold, for TensorBoard's page PR CURVES.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const PrCurve curve, ComputePrCurve(labels, predictions));
//
// Plain values and a pure function; any thread may call it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

inline constexpr std::int64_t kMostThresholds = 127;

// Each column has a number for each threshold, from 0 to 1.
struct PrCurve {
  std::vector<double> true_positives = {};
  std::vector<double> false_positives = {};
  std::vector<double> true_negatives = {};
  std::vector<double> false_negatives = {};
  std::vector<double> precision = {};
  std::vector<double> recall = {};
  // How many thresholds TensorBoard is told; more than kMostThresholds count as that many.
  std::int64_t num_thresholds = kMostThresholds;
};

// Compares predictions (probabilities from 0 to 1; one may be outside by 1e-5) with labels (0 or
// 1). `weights` are those of the samples: as many, or one for all; none: 1. kInvalidArgument if the
// numbers of elements differ, a prediction is not a probability, or num_thresholds is less than 1.
// Of more than kMostThresholds, that many are used.
Result<PrCurve> ComputePrCurve(const TensorView& labels, const TensorView& predictions,
                               std::int64_t num_thresholds = kMostThresholds,
                               const std::optional<TensorView>& weights = std::nullopt);

}  // namespace sightline
