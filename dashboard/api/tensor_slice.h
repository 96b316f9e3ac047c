// Slices of tensors in NumPy's notation: "[0,:,::5,-1]". Pure functions; may be called from any
// thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::dashboard {

// The elements of `tensor` that `text` selects, in the tensor's dtype. An index without a colon
// removes its dimension; dimensions that are not named are taken whole, and empty text selects all.
// kInvalidArgument, with the shape, if the slice does not fit it.
Result<TensorData> SliceTensor(const TensorData& tensor, std::string_view text);

// The elements as float64; integers beyond 2^53 lose digits. kUnimplemented for complex numbers.
Result<std::vector<double>> ToNumbers(const TensorView& tensor);

// Statistics of numbers. `min` and those after it are of the finite numbers only, and NaN if there
// are none.
struct NumberStats {
  std::size_t count = 0;  // All numbers.
  std::size_t nan = 0;
  std::size_t positive_inf = 0;
  std::size_t negative_inf = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double std = 0;  // Of the population, like numpy.std.
};
NumberStats StatsOf(const std::vector<double>& numbers);

}  // namespace sightline::dashboard
