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
  // If set, the known points of this step and later ones are void: read all points of these steps
  // again. If the series is gone, this is the smallest possible step.
  std::optional<std::int64_t> void_from = std::nullopt;
};

struct RunChange {
  enum class Kind : std::uint8_t {
    kAppeared,
    kChanged,   // SeriesChanges(*before, *run) says where; lineage, damage and state may differ,
                // too.
    kReplaced,  // Its first file is another one: nothing of `before` holds.
    kGone,
  };
  Kind kind = Kind::kChanged;
  std::string name;  // The run's; in the dashboard its id (FollowedRunsOptions::number_roots).
  std::shared_ptr<const Run> run;     // Null if it is gone.
  std::shared_ptr<const Run> before;  // Null if it appeared.
};

// The series that differ between `before` and `after`. Compares steps, times and scalars. Takes
// time in proportion to the points of those series that share no memory.
std::vector<SeriesChange> SeriesChanges(const Run& before, const Run& after);

}  // namespace sightline
