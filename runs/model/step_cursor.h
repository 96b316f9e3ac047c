// StepCursor: walks over the steps of a scalar series. If a step has several values, the one that
// was recorded last counts. Private to runs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sightline/runs/model/series.h"

namespace sightline {

class StepCursor {
 public:
  // Borrows the series. REQUIRES: series.is_scalar().
  explicit StepCursor(const Series& series) : steps_(series.steps()), values_(series.values()) {
    Settle();
  }

  bool done() const { return at_ >= steps_.size(); }
  // REQUIRES: !done().
  std::int64_t step() const { return steps_[at_]; }
  double value() const { return values_[at_]; }
  void Next() {
    ++at_;
    Settle();
  }

 private:
  void Settle() {
    while (at_ + 1 < steps_.size() && steps_[at_ + 1] == steps_[at_]) ++at_;
  }

  std::span<const std::int64_t> steps_;
  std::span<const double> values_;
  std::size_t at_ = 0;
};

}  // namespace sightline
