// Pyramid: exact minimum, maximum and counts of any range of a column of numbers, in time that
// grows with the logarithm of the column's length. Takes half a byte for each number.
//
// Immutable once built: may be read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sightline/runs/model/column.h"
#include "sightline/runs/model/series.h"

namespace sightline {

class Pyramid {
 public:
  Pyramid() = default;
  // Borrows `values`, which must outlive it.
  explicit Pyramid(std::span<const double> values) { Extend(values); }

  // Takes in a column that grew: `values` must begin with the known values. Takes time in
  // proportion to the number of new ones.
  void Extend(std::span<const double> values);

  // REQUIRES: begin <= end <= the number of values.
  Extremes Of(std::size_t begin, std::size_t end) const {
    ColumnReader<double> values(values_);
    return Of(begin, end, values);
  }
  // The same; reads the values through `values`.
  Extremes Of(std::size_t begin, std::size_t end, ColumnReader<double>& values) const;

 private:
  struct Node {
    double min;
    double max;
    std::uint32_t nan_count;
    std::uint32_t pos_inf_count;
    std::uint32_t neg_inf_count;
    std::uint32_t count;
  };
  static constexpr std::size_t kFactor = 64;  // Values under a lowest node, nodes under a node.

  static void AddTo(const Node& node, Extremes& extremes);

  std::span<const double> values_;
  std::vector<std::vector<Node>> levels_;
};

}  // namespace sightline
