// What changed between two readings of runs, in a form that suits a display.
//
// Plain data and a pure function, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

struct SeriesChange {
  SeriesKey key;
  // Points from this position on are new; those before it are as they were.
  std::size_t appended_from = 0;
  // If set, nothing that was known of this step and later ones holds any more: read all points of
  // these steps again. If the series is gone, this is the smallest step there is.
  std::optional<std::int64_t> void_from = std::nullopt;
};

struct RunChange {
  enum class Kind : std::uint8_t {
    kAppeared,
    // `series` has what changed there; what is in no series (lineage, damage, state) may have, too.
    kChanged,
    kReplaced,  // Its first file is another one: forget what was known.
    kGone,      // `run` is null.
  };
  Kind kind = Kind::kChanged;
  std::string name;
  std::shared_ptr<const Run> run;
  std::vector<SeriesChange> series;
};

// The series that differ between `before` and `after`. Compares steps, times and scalars. Takes
// time in proportion to the points of those series that share no memory.
std::vector<SeriesChange> SeriesChanges(const Run& before, const Run& after);

}  // namespace sightline
