// What stands on a lane. Any thread, as long as the model does not change.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// Whether the lane has a span of this kind. Takes time in proportion to the spans before it.
inline bool HasSpan(const Model& model, const Lane& lane, SpanKind kind) {
  const auto begin = model.spans.kind.begin() + static_cast<std::ptrdiff_t>(lane.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(lane.count);
  return std::find(begin, end, kind) != end;
}

}  // namespace sightline::profiler
