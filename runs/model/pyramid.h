// Pyramid: exact minimum, maximum and counts of any range of a column of numbers, in time that
// grows with the logarithm of the column's length. Takes half a byte for each number.
//
// Immutable once built: may be read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sightline/runs/model/column.h"

namespace sightline {

// The extremes and counts of a range of numbers. Minimum and maximum are those of the finite
// numbers; NaN if there are none.
struct Extremes {
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t count = 0;  // All numbers, including those counted below.
  std::uint64_t nan_count = 0;
  std::uint64_t pos_inf_count = 0;
  std::uint64_t neg_inf_count = 0;

  void Add(double value);
  void Add(const Extremes& other);
};

// One column of a chart.
struct SeriesColumn {
  std::size_t begin = 0;  // Positions [begin, end) of the series' points; never empty.
  std::size_t end = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  double first = 0;  // Values of the first and the last point; they may not be finite.
  double last = 0;
  Extremes extremes;
};

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
    ColumnLooks<double> values(values_);
    return Of(begin, end, values);
  }
  // The same; reads the values through `values`.
  Extremes Of(std::size_t begin, std::size_t end, ColumnLooks<double>& values) const;

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
