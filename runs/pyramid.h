// Pyramid: minimum, maximum and counts of any range of a column of numbers, exactly, in time that
// grows with the logarithm of the column's length. Half a byte a number.
//
// Immutable once built: may be read from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sightline/runs/column.h"

namespace sightline {

// What a range of numbers holds. Minimum and maximum are of its finite numbers, NaN without any.
struct Extremes {
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t count = 0;  // All, the following included.
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
  double first = 0;  // Values of its first and last point, which may not be finite.
  double last = 0;
  Extremes extremes;
};

class Pyramid {
 public:
  Pyramid() = default;
  // Borrows `values`, which must outlive it.
  explicit Pyramid(std::span<const double> values) { Extend(values); }

  // The column grew: `values` begin with those that are known. Takes as long as there are new ones.
  void Extend(std::span<const double> values);

  // REQUIRES: begin <= end <= the number of values.
  Extremes Of(std::size_t begin, std::size_t end) const {
    ColumnLooks<double> values(values_);
    return Of(begin, end, values);
  }
  // The same, by looks at the values.
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
