#include "sightline/watch/rules/series_episode.h"

#include <bit>

namespace sightline::watch {

void SeriesEpisode::See(std::int64_t step, double value, bool is_case) {
  if (is_case) {
    without_ = 0;
    if (open_) return;
    open_ = began_ = true;
    since_ = step;
    value_ = value;
  } else if (open_ && ++without_ >= quiet_) {
    open_ = false;
  }
}

bool SeriesEpisode::Continues(const Series& series) const {
  if (size_ == 0) return true;
  // By their bits: NaN is equal to itself.
  return series.size() >= size_ && series.steps()[size_ - 1] == last_step_ &&
         std::bit_cast<std::uint64_t>(series.values()[size_ - 1]) ==
             std::bit_cast<std::uint64_t>(last_value_);
}

void SeriesEpisode::Note(const Series& series) {
  size_ = series.size();
  if (size_ == 0) return;
  last_step_ = series.steps()[size_ - 1];
  last_value_ = series.values()[size_ - 1];
}

}  // namespace sightline::watch
