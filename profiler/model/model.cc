#include "sightline/profiler/model/model.h"

#include <algorithm>

namespace sightline::profiler {

std::string_view SpanKindName(SpanKind kind) {
  switch (kind) {
    case SpanKind::kOther:
      return "other";
    case SpanKind::kOperator:
      return "operator";
    case SpanKind::kKernel:
      return "kernel";
    case SpanKind::kStep:
      return "step";
    case SpanKind::kScope:
      return "scope";
    case SpanKind::kCommunication:
      return "communication";
    case SpanKind::kDataWait:
      return "data wait";
    case SpanKind::kAnnotation:
      return "annotation";
    case SpanKind::kPython:
      return "python";
    case SpanKind::kRuntime:
      return "runtime";
  }
  return "other";
}

std::string_view LaneKindName(LaneKind kind) {
  switch (kind) {
    case LaneKind::kThread:
      return "thread";
    case LaneKind::kStream:
      return "stream";
    case LaneKind::kStep:
      return "step";
    case LaneKind::kScope:
      return "scope";
    case LaneKind::kAsync:
      return "async";
  }
  return "thread";
}

TimeRange Extent(const Model& model) {
  TimeRange range;
  bool first = true;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    MemoryLimit::Keep(i);
    const std::int64_t end = model.spans.end(i);
    range.from = first ? model.spans.start[i] : std::min(range.from, model.spans.start[i]);
    range.to = first ? end : std::max(range.to, end);
    first = false;
  }
  return range;
}

}  // namespace sightline::profiler
