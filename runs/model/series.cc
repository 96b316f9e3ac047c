#include "sightline/runs/model/series.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "sightline/runs/model/pyramid.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/model/series_restarts.h"

namespace sightline {
namespace {

// A series of fewer points needs no pyramid.
constexpr std::size_t kFewPoints = 64;

// NOLINTNEXTLINE(modernize-use-using): not with __extension__.
__extension__ typedef unsigned __int128 Wide;

// A strict weak order for all doubles: NaN comes after everything else.
bool TimeLess(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

template <typename T>
void Permute(const std::vector<std::size_t>& order, Column<T>& column) {
  if (column.empty()) return;
  Column<T> sorted;
  for (const std::size_t i : order) sorted.push_back(column[i]);
  column = std::move(sorted);
}

// The first position in [begin, end) whose step is at least `step`, else `end`. It starts at
// `guess` and doubles its strides: from a good guess it reads one part of a column, which may have
// to come from the disk; a search of the whole column reads a dozen parts.
std::size_t LowerBoundNear(ColumnReader<std::int64_t>& steps, std::size_t begin, std::size_t end,
                           std::int64_t step, std::size_t guess) {
  std::size_t low = std::min(guess, end);  // All steps before it are below `step`.
  std::size_t high = low;                  // All steps from it on are not.
  for (std::size_t stride = 1; low > begin && steps[low - 1] >= step; stride *= 2) {
    high = low - 1;
    low -= std::min(stride, low - begin);
  }
  for (std::size_t stride = 1; high < end && steps[high] < step; stride *= 2) {
    low = high + 1;
    high += std::min(stride, end - high);
  }
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (steps[middle] < step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

SeriesColumn ColumnOf(std::size_t begin, std::size_t end, std::int64_t first_step,
                      std::int64_t last_step, ColumnReader<double>& values,
                      const Pyramid& pyramid) {
  SeriesColumn column{begin, end, first_step, last_step, values[begin], 0, {}};
  column.extremes = pyramid.Of(begin, end, values);
  column.last = values[end - 1];
  return column;
}

}  // namespace

void SeriesPoints::Sort(std::size_t sorted) {
  const auto less = [this](std::size_t a, std::size_t b) {
    return steps[a] != steps[b] ? steps[a] < steps[b] : TimeLess(wall_times[a], wall_times[b]);
  };
  std::size_t i = std::max<std::size_t>(sorted, 1);
  while (i < steps.size() && !less(i, i - 1)) ++i;
  if (i >= steps.size()) return;
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), less);
  Permute(order, steps);
  Permute(order, wall_times);
  Permute(order, values);
  Permute(order, places);
}

struct Series::Data {
  // Of a series that was made without its points.
  struct Stored {
    SeriesSummary summary;
    std::shared_ptr<SeriesSource> source;
    std::size_t number = 0;
  };
  std::unique_ptr<const Stored> stored;
  std::once_flag loaded;  // Only if `stored`.
  SeriesPoints points;
  // Made when they are asked for, since a run may have a million series.
  std::once_flag pyramid_made;
  std::once_flag restarts_found;
  std::unique_ptr<Pyramid> pyramid;
  std::unique_ptr<const SeriesRestarts> restarts;

  const Pyramid& ThePyramid(const SeriesPoints& all) {
    std::call_once(pyramid_made, [&] { pyramid = std::make_unique<Pyramid>(all.values); });
    return *pyramid;
  }
};

Series::Series(SeriesKey key, SeriesPoints points)
    : key_(std::move(key)), size_(points.steps.size()), data_(std::make_shared<Data>()) {
  data_->points = std::move(points);
}

Series::Series(SeriesKey key, SeriesPoints points, const Series& before)
    : Series(std::move(key), std::move(points)) {
  if (!is_scalar() || before.SharedWith(data_->points) != before.size()) return;
  std::call_once(data_->pyramid_made, [&] {
    data_->pyramid = std::make_unique<Pyramid>(before.data_->ThePyramid(before.points()));
    data_->pyramid->Extend(data_->points.values);
  });
}

Series::Series(SeriesKey key, const SeriesSummary& summary, std::shared_ptr<SeriesSource> source,
               std::size_t number)
    : key_(std::move(key)), size_(summary.size), data_(std::make_shared<Data>()) {
  data_->stored =
      std::make_unique<const Data::Stored>(Data::Stored{summary, std::move(source), number});
}

Series::Series(SeriesKey key, const Series& same, std::uint32_t first_file)
    : key_(std::move(key)), size_(same.size_), first_file_(first_file), data_(same.data_) {}

Series::~Series() = default;

const SeriesPoints& Series::points() const {
  if (const Data::Stored* stored = data_->stored.get()) {
    std::call_once(data_->loaded, [&] {
      data_->points = stored->source->Load(stored->number, is_scalar(), stored->summary);
    });
  }
  return data_->points;
}

std::span<const std::int64_t> Series::steps() const { return points().steps; }
std::span<const double> Series::wall_times() const { return points().wall_times; }
std::span<const double> Series::values() const { return points().values; }

const RecordedCounts& Series::recorded() const {
  return data_->stored == nullptr ? data_->points.recorded : data_->stored->summary.recorded;
}

std::int64_t Series::first_step() const {
  return data_->stored == nullptr ? data_->points.steps[0] : data_->stored->summary.first_step;
}

std::int64_t Series::last_step() const {
  return data_->stored == nullptr ? data_->points.steps.back() : data_->stored->summary.last_step;
}

double Series::first_value() const {
  return data_->stored == nullptr ? data_->points.values[0] : data_->stored->summary.first;
}

double Series::last_value() const {
  return data_->stored == nullptr ? data_->points.values.back() : data_->stored->summary.last;
}

double Series::last_wall_time() const {
  return data_->stored == nullptr ? data_->points.wall_times.back()
                                  : data_->stored->summary.last_wall_time;
}

const SeriesRestarts& Series::restarts() const {
  std::call_once(data_->restarts_found, [&] {
    SeriesRestarts found;
    if (data_->stored == nullptr || data_->stored->summary.restarted)
      found = FindRestarts(steps(), wall_times());
    if (!found.none()) data_->restarts = std::make_unique<const SeriesRestarts>(std::move(found));
  });
  static const SeriesRestarts none;
  return data_->restarts == nullptr ? none : *data_->restarts;
}

SeriesSummary Series::Summary() const {
  if (data_->stored != nullptr) return data_->stored->summary;
  SeriesSummary summary{size_, first_step(), last_step(),      0,    0,
                        {},    recorded(),   last_wall_time(), false};
  if (!is_scalar()) return summary;
  summary.first = first_value();
  summary.last = last_value();
  summary.extremes = ExtremesOf(0, size_);
  summary.restarted = !restarts().none();
  return summary;
}

const SeriesSource* Series::source() const {
  return data_->stored == nullptr ? nullptr : data_->stored->source.get();
}

std::shared_ptr<const Series> Series::Unloaded() const {
  if (data_->stored == nullptr) return nullptr;
  const Data::Stored& stored = *data_->stored;
  auto copy =
      std::make_shared<Series>(key_, stored.summary, stored.source->Unloaded(), stored.number);
  copy->first_file_ = first_file_;
  return copy;
}

std::size_t Series::SharedWith(const SeriesPoints& points) const {
  if (data_->stored != nullptr) return 0;  // Without loading them.
  const SeriesPoints& own = data_->points;
  const bool shared = own.steps.data() == points.steps.data() &&
                      own.wall_times.data() == points.wall_times.data() &&
                      own.values.data() == points.values.data() &&
                      own.places.data() == points.places.data();
  return shared ? std::min(size(), points.steps.size()) : 0;
}

HeavyPoint Series::point(std::size_t i) const {
  const SeriesPoints& all = points();
  const SeriesPoints::Place& place = all.places[i];
  return {all.steps[i], all.wall_times[i], place.offset, first_file_ + place.file,
          place.value,  place.item};
}

std::vector<std::size_t> Series::LatestPerStep() const {
  std::vector<std::size_t> latest;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i + 1 == size() || steps()[i + 1] != steps()[i]) latest.push_back(i);
  }
  return latest;
}

std::size_t Series::LowerBound(std::int64_t step) const {
  ColumnReader steps(points().steps);
  return LowerBoundNear(steps, 0, size(), step, size() / 2);
}

Extremes Series::ExtremesOf(std::size_t begin, std::size_t end) const {
  if (data_->stored != nullptr && is_scalar() && begin == 0 && end == size_)
    return data_->stored->summary.extremes;
  ColumnReader values(points().values);
  if (size_ < kFewPoints) {
    Extremes extremes;
    for (std::size_t i = begin; i < end; ++i) extremes.Add(values[i]);
    return extremes;
  }
  return data_->ThePyramid(points()).Of(begin, end, values);
}

std::vector<SeriesColumn> Series::ColumnsBySteps(std::int64_t first, std::int64_t last,
                                                 std::size_t count) const {
  std::vector<SeriesColumn> columns;
  if (!is_scalar() || first > last || count == 0) return columns;
  // Computes with unsigned numbers, since the width of all steps does not fit the signed ones, and
  // with 128 bits, since (width + 1) * count does not fit 64.
  const Wide width = Wide{static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)} + 1;
  ColumnReader steps(points().steps);
  ColumnReader values(points().values);
  const Pyramid& pyramid = data_->ThePyramid(points());
  std::size_t begin = LowerBound(first);
  const std::size_t stop = last == INT64_MAX ? size() : LowerBound(last + 1);
  std::size_t points = 0;  // In the previous column.
  // Goes from one point to the next column that has any, so that empty columns cost nothing.
  while (begin < stop) {
    const std::int64_t first_step = steps[begin];
    const Wide after_first =
        static_cast<std::uint64_t>(first_step) - static_cast<std::uint64_t>(first);
    const Wide column = after_first * count / width;
    // The first step of the next column: the smallest s with s * count / width > column.
    const Wide next = ((column + 1) * width + count - 1) / count;
    std::size_t end = stop;
    if (next < width) {
      const auto next_step = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                                       static_cast<std::uint64_t>(next));
      end = LowerBoundNear(steps, begin, stop, next_step, begin + points);
    }
    columns.push_back(ColumnOf(begin, end, first_step, steps[end - 1], values, pyramid));
    points = end - begin;
    begin = end;
  }
  return columns;
}

std::vector<SeriesColumn> Series::ColumnsByPosition(std::size_t begin, std::size_t end,
                                                    std::size_t count) const {
  std::vector<SeriesColumn> columns;
  end = std::min(end, size());
  if (!is_scalar() || begin >= end || count == 0) return columns;
  ColumnReader steps(points().steps);
  ColumnReader values(points().values);
  const Pyramid& pyramid = data_->ThePyramid(points());
  const std::size_t points = end - begin;
  count = std::min(count, points);
  const auto cut = [&](std::size_t i) {
    return begin + static_cast<std::size_t>(Wide{points} * i / count);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t first_step = steps[cut(i)];
    columns.push_back(
        ColumnOf(cut(i), cut(i + 1), first_step, steps[cut(i + 1) - 1], values, pyramid));
  }
  return columns;
}

}  // namespace sightline
