// What the exporters of traces share. Private to profiler/export.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profile {

inline bool Touches(TimeRange range, std::int64_t start, std::int64_t end) {
  return start <= range.to && end >= range.from;
}

// The detail of what has this name as an object, where it is no JSON object as its member "args";
// with the type, where that says more than the name.
nlohmann::ordered_json ArgumentsOf(const Model& model, NameId name, NameId detail, NameId type);

// The values of a counter that a range keeps: [first, last).
struct ValueRange {
  std::size_t first = 0;
  std::size_t last = 0;
};
ValueRange ValuesIn(const Counter& counter, TimeRange range);

// The points of a range by the innermost span that is open on their lane at their time.
struct BoundFlows {
  std::unordered_map<std::size_t, std::vector<const FlowPoint*>> of_span;
  std::vector<const FlowPoint*> alone;  // No span is open.
};
BoundFlows BindFlows(const Model& model, TimeRange range);

}  // namespace sightline::profile
