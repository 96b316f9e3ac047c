// Helpers that the exporters of traces share. Private to profiler/export.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

inline bool Touches(TimeRange range, std::int64_t start, std::int64_t end) {
  return start <= range.to && end >= range.from;
}

// The arguments of an event: its `detail` as an object, with the member "type" if the type differs
// from the name. A detail that is not a JSON object becomes the member "args".
nlohmann::ordered_json EventArguments(const Model& model, NameId name, NameId detail, NameId type);

// The values of a counter that an export of a range contains (trace_export.h): [first, last).
struct ValueRange {
  std::size_t first = 0;
  std::size_t last = 0;
};
ValueRange ValuesIn(const Counter& counter, TimeRange range);

// The flow points in a range. A point belongs to the innermost span of its lane that is open at its
// time.
struct BoundFlows {
  std::unordered_map<std::size_t, std::vector<const FlowPoint*>> of_span;  // By index of the span.
  std::vector<const FlowPoint*> alone;                                     // No span is open.
};
BoundFlows BindFlows(const Model& model, TimeRange range);

}  // namespace sightline::profiler
