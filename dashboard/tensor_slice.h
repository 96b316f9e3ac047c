// Slices of tensors as NumPy writes them: "[0,:,::5,-1]". Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::dashboard {

// The elements that `text` takes from `tensor`, in its dtype; an index without a colon removes its
// dimension, missing ones are whole, empty text is all. kInvalidArgument, with the shape, for what
// does not fit it.
Result<TensorData> SliceTensor(const TensorData& tensor, std::string_view text);

// The elements as float64; integers beyond 2^53 lose digits. kUnimplemented for complex numbers.
Result<std::vector<double>> ToNumbers(const TensorView& tensor);

// What a table says of numbers. Of the finite ones, but `count` and what counts the others; NaN
// where there is none.
struct NumberStats {
  std::size_t count = 0;
  std::size_t nan = 0;
  std::size_t positive_inf = 0;
  std::size_t negative_inf = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double std = 0;  // Of the population, as numpy.std.
};
NumberStats StatsOf(const std::vector<double>& numbers);

}  // namespace sightline::dashboard
