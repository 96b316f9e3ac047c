// SeriesEpisode: reads a scalar series as it grows, and knows since which step something holds.
// Private to this folder. One thread.
//
//   SeriesEpisode episode(kQuiet);
//   episode.ReadOn(series, look.history, [] {},
//                  [&](std::size_t i) { return std::isnan(series.values()[i]); });
//   if (episode.holds()) Show(episode.since());
#pragma once

#include <cstddef>
#include <cstdint>

#include "sightline/runs/model/series.h"

namespace sightline::watch {

class SeriesEpisode {
 public:
  // An episode begins with a point at which something is the case, and is over after `quiet` points
  // in sequence at which it is not. Of a series that is new, at most `most` points are read.
  explicit SeriesEpisode(std::size_t quiet, std::size_t most = SIZE_MAX)
      : quiet_(quiet), most_(most) {}

  // Calls is_case(position) for the points that are new, in their order. If points that were read
  // have changed, as when a training is resumed from an earlier step, calls restart() and reads the
  // points again. Of these, as with `history`, only what still holds at their end counts.
  template <typename Restart, typename IsCase>
  void ReadOn(const Series& series, bool history, const Restart& restart, const IsCase& is_case) {
    began_ = false;
    if (!Continues(series)) {
      restart();
      history = history || size_ > 0;
      size_ = 0;
      open_ = false;
    }
    std::size_t i = size_;
    if (size_ == 0 && series.size() > most_) i = series.size() - most_;
    for (; i < series.size(); ++i) See(series.steps()[i], series.values()[i], is_case(i));
    if (history) began_ = false;
    Note(series);
  }

  // Whether an episode is open, or began within the points that were read last.
  bool holds() const { return open_ || began_; }
  // The first step of the newest episode, and its value there. REQUIRES: holds().
  std::int64_t since() const { return since_; }
  double value() const { return value_; }

 private:
  void See(std::int64_t step, double value, bool is_case);
  // Whether the points that were read are still there.
  bool Continues(const Series& series) const;
  void Note(const Series& series);

  std::size_t quiet_;
  std::size_t most_;
  std::size_t size_ = 0;  // Of the points that were read, and the last of them.
  std::int64_t last_step_ = 0;
  double last_value_ = 0;
  bool open_ = false;
  bool began_ = false;
  std::size_t without_ = 0;
  std::int64_t since_ = 0;
  double value_ = 0;
};

}  // namespace sightline::watch
