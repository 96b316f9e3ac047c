// FlowArrows: the arrows of a profile's flows as a timeline draws them: between two points, with
// the rows of the spans at both ends. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::dashboard {

struct FlowArrow {
  struct End {
    std::int64_t time = 0;  // On the profile's clock.
    profiler::LaneId lane{};
    std::uint16_t row = 0;  // Of the innermost span there; 0 if there is none.
  };
  profiler::NameId id = profiler::kNoName;
  profiler::NameId name = profiler::kNoName;
  End from;
  End to;
};

// Connects each point of a flow with the next one in time. A flow ends at an end, and before the
// next start. The arrows are ordered by the time at which they begin.
std::vector<FlowArrow> FlowArrowsOf(const profiler::Model& model);

}  // namespace sightline::dashboard
