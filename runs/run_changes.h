// What changed between two readings of runs, in the words of those who show them.
//
// Plain data and a pure function, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/runs/run.h"

namespace sightline {

struct SeriesChange {
  SeriesKey key;
  // Points from this position on are new; those before it are as they were, but for those that
  // `void_from` says.
  std::size_t appended_from = 0;
  // What was known of this step and later ones does not hold any more: read it anew. The smallest
  // step there is where the series is gone.
  std::optional<std::int64_t> void_from = std::nullopt;
};

struct RunChange {
  enum class Kind : std::uint8_t {
    kAppeared,
    kChanged,   // `series` says where; what is not in a series (lineage, damage, state) may have
                // too.
    kReplaced,  // Its first file is another one: forget what was known.
    kGone,      // `run` is null.
  };
  Kind kind = Kind::kChanged;
  std::string name;
  std::shared_ptr<const Run> run;
  std::vector<SeriesChange> series;
};

// The series of `after` that differ from those of `before`. Compares steps, times and scalars; time
// grows with the points of series that differ in size.
std::vector<SeriesChange> SeriesChanges(const Run& before, const Run& after);

}  // namespace sightline
