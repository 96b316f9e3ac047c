// The columns of a series, the facts about them, and where they are loaded from (series.h). Private
// to runs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sightline/runs/model/column.h"
#include "sightline/runs/model/series.h"

namespace sightline {

// The columns of a Series. Scalars have `values`, all other series have `places`.
struct SeriesPoints {
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t file = 0;
    std::uint32_t value = 0;
    std::uint32_t item = 0;
  };
  Column<std::int64_t> steps;
  Column<double> wall_times;
  Column<double> values;
  Column<Place> places;
  RecordedCounts recorded;

  // Sorts the points into the order of a Series. Points with equal step and wall time keep their
  // order. The first `sorted` points must be in order already.
  void Sort(std::size_t sorted = 0);
};

// The facts about a series that the index has without its points.
struct SeriesSummary {
  std::uint64_t size = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  double first = 0;  // Values of the first and the last point of a scalar.
  double last = 0;
  Extremes extremes;  // Of all points of a scalar.
  RecordedCounts recorded;
  double last_wall_time = 0;
  bool restarted = false;  // Series::restarts() are not empty.
};

// Loads the points of a Series that was made without them, when they are asked for the first time.
// Called from any thread.
class SeriesSource {
 public:
  virtual ~SeriesSource() = default;
  // The points of series number `number`, sorted, and as many as `summary` says.
  virtual SeriesPoints Load(std::size_t number, bool scalar, const SeriesSummary& summary) = 0;
  // The same source, without what this one has loaded.
  virtual std::shared_ptr<SeriesSource> Unloaded() const = 0;
};

}  // namespace sightline
