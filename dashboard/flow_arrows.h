// FlowArrows: what points of a profile's flows lead to each other, with the rows of the spans at
// both ends, as a timeline draws them. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::dashboard {

struct FlowArrow {
  struct End {
    std::int64_t time = 0;  // Of the profile's clock.
    profile::LaneId lane{};
    std::uint16_t row = 0;  // Of the innermost span there; 0 where there is none.
  };
  profile::NameId id = profile::kNoName;
  profile::NameId name = profile::kNoName;
  End from;
  End to;
};

// The points of one id in the order of their times, each with the next; a start begins anew. In the
// order of the times that they lead from.
std::vector<FlowArrow> FlowArrowsOf(const profile::Model& model);

}  // namespace sightline::dashboard
