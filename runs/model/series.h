// Series: the points of one tag of a run, as columns, in the order of step, wall time, file and
// offset. It has every recorded point, also several of one step; nothing is sampled.
//
//   for (std::size_t i = 0; i < series.size(); ++i) Plot(series.steps()[i], series.values()[i]);
//   for (const SeriesColumn& column : series.ColumnsBySteps(0, 999'999, 1000)) Draw(column);
//
// Immutable once built: may be read from any thread. Its spans live as long as the series.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sightline/recorder/reading/event_view.h"

namespace sightline {

struct SeriesKey {
  ContentKind kind = ContentKind::kUnknown;
  std::string plugin;     // For kPlugin only: "pr_curves", "hparams", ...
  std::string tag;        // As recorded.
  std::int32_t rank = 0;  // The session's, else the device id in the file's name, else 0.

  auto operator<=>(const SeriesKey&) const = default;  // NOLINT(modernize-use-nullptr): LLVM 46235.
};

// The place of a value that is decoded when it is asked for (Run::Read).
struct HeavyPoint {
  std::int64_t step = 0;
  double wall_time = 0;      // Seconds since the Unix epoch; NaN if it is unknown.
  std::uint64_t offset = 0;  // Of its record in the file.
  std::uint32_t file = 0;    // Position in Run::files().
  std::uint32_t value = 0;   // Position among the event's values; 0 for an event itself.
  std::uint32_t item = 0;    // Position among the value's pictures or sounds.
};

// How many of a series' values each dialect holds. If a run is recorded in both dialects, a value
// is in both, and counts as one point.
struct RecordedCounts {
  std::uint64_t in_mindspore = 0;
  std::uint64_t in_tensorboard = 0;
  std::uint64_t in_others = 0;  // In files of other recorders (IsTranslated).
};

// The extremes and counts of a range of numbers. Minimum and maximum are those of the finite
// numbers; NaN if there are none.
struct Extremes {
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t count = 0;  // All numbers, including those counted below.
  std::uint64_t nan_count = 0;
  std::uint64_t pos_inf_count = 0;
  std::uint64_t neg_inf_count = 0;

  std::uint64_t nonfinite() const { return nan_count + pos_inf_count + neg_inf_count; }

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

struct SeriesPoints;  // These are in series_points.h, which is not installed.
struct SeriesSummary;
struct SeriesRestarts;  // series_restarts.h, neither.
class SeriesSource;

class Series {
 public:
  // REQUIRES: `points` are sorted, and their columns equally long.
  Series(SeriesKey key, SeriesPoints points);
  // The same. `before` is an earlier state of the series; its extremes of the points that both
  // share are not computed again.
  Series(SeriesKey key, SeriesPoints points, const Series& before);
  // A series whose points come from `source` when they are asked for. REQUIRES: summary.size != 0.
  Series(SeriesKey key, const SeriesSummary& summary, std::shared_ptr<SeriesSource> source,
         std::size_t number);
  // The points of `same`, which both then share, under another key. Files count from `first_file`
  // on.
  Series(SeriesKey key, const Series& same, std::uint32_t first_file);
  ~Series();
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  const SeriesKey& key() const { return key_; }
  bool is_scalar() const { return key_.kind == ContentKind::kScalar; }
  std::size_t size() const { return size_; }
  // These do not load the points. REQUIRES: size() != 0; for values: a scalar.
  std::int64_t first_step() const;
  std::int64_t last_step() const;
  double first_value() const;
  double last_value() const;
  double last_wall_time() const;
  const RecordedCounts& recorded() const;

  std::span<const std::int64_t> steps() const;
  std::span<const double> wall_times() const;
  // For scalars; empty for all others.
  std::span<const double> values() const;
  // For all others: the place of point `i`. REQUIRES: !is_scalar(), i < size().
  HeavyPoint point(std::size_t i) const;

  // The positions of the last point of every step, ascending.
  std::vector<std::size_t> LatestPerStep() const;
  // The first position whose step is at least `step`; size() if there is none.
  std::size_t LowerBound(std::int64_t step) const;

  // For scalars: the extremes of points [begin, end). REQUIRES: begin <= end <= size().
  Extremes ExtremesOf(std::size_t begin, std::size_t end) const;
  // For scalars: divides the steps first..last (both included) into at most `count` columns of
  // equal width; columns without points are left out. Takes time in proportion to `count`, not to
  // the points.
  std::vector<SeriesColumn> ColumnsBySteps(std::int64_t first, std::int64_t last,
                                           std::size_t count) const;
  // The same for points [begin, end) by position: each column has the same number of points, except
  // for rounding.
  std::vector<SeriesColumn> ColumnsByPosition(std::size_t begin, std::size_t end,
                                              std::size_t count) const;

  // Where a training went back to an earlier step. Found once, in time in proportion to the points.
  const SeriesRestarts& restarts() const;

  // For runs/ and the index: the columns themselves, and the facts about them.
  const SeriesPoints& points() const;
  SeriesSummary Summary() const;
  // Where the points come from when they are asked for; null if the series was made with them.
  const SeriesSource* source() const;
  // The same series, which loads its points again; null if this one was made with them.
  std::shared_ptr<const Series> Unloaded() const;
  // Whether the two are one series, perhaps under different keys.
  bool SharesAllWith(const Series& other) const { return data_ == other.data_; }
  // How many of the first points of `points` are points of this series, in the same memory.
  std::size_t SharedWith(const SeriesPoints& points) const;

 private:
  struct Data;

  SeriesKey key_;
  std::size_t size_ = 0;
  std::uint32_t first_file_ = 0;
  std::shared_ptr<Data> data_;
};

}  // namespace sightline
