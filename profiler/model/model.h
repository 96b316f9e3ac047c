// Model: the events of a profile in one form, whichever program wrote it.
//
// A lane is a line of the timeline: a thread, a stream of a device, the steps. It has spans
// (something ran from one time to another), instants (moments), counters (values over time) and the
// points of flows (arrows between lanes).
//
// Times are integer nanoseconds of the profile's own clock. Texts are interned: each is stored once
// and named by a number. The spans of a lane are neighbours in the columns, ordered by their start;
// of two with the same start the longer one comes first. Immutable once built (ModelBuilder), so
// any number of threads may read.
//
//   const Model& model = ...;
//   for (const Lane& lane : model.lanes)
//     for (std::size_t i = lane.first; i < lane.first + lane.count; ++i)
//       use(model.names[model.spans.name[i]], model.spans.start[i], model.spans.duration[i]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/profiler/model/name_pool.h"

namespace sightline::profiler {

enum class LaneId : std::uint32_t {};

// What a lane shows.
enum class LaneKind : std::uint8_t { kThread, kStream, kStep, kScope, kAsync };

// What a span stands for, as far as its source tells.
enum class SpanKind : std::uint8_t {
  kOther,
  kOperator,       // An operator on the host.
  kKernel,         // A kernel or copy on a device.
  kStep,           // A step of the training.
  kScope,          // A layer of the network: covers its operators that follow each other.
  kCommunication,  // Between devices or processes.
  kDataWait,       // Waiting for the next batch.
  kAnnotation,     // A mark that the user set.
  kPython,         // A Python function.
  kRuntime,        // The framework's own work: launching, scheduling, locks.
};

// "operator", "kernel", ...
std::string_view SpanKindName(SpanKind kind);
std::string_view LaneKindName(LaneKind kind);

struct Lane {
  NameId process = kNoName;  // Its id in the file: "2", "Spans".
  NameId thread = kNoName;
  NameId process_name = kNoName;  // kNoName if the file has none.
  NameId thread_name = kNoName;
  NameId labels = kNoName;  // Chrome's labels of the process: "CPU".
  // Viewers show processes, and threads in a process, in ascending order of these.
  std::int64_t process_sort = 0;
  std::int64_t thread_sort = 0;
  LaneKind kind = LaneKind::kThread;
  // The source tells the kinds of its spans, so that names decide nothing.
  bool kinds_known = false;
  std::size_t first = 0;  // Its spans: [first, first + count).
  std::size_t count = 0;
  std::uint16_t depths = 0;  // Number of rows that nested spans need.
};

// All columns have the same length.
struct Spans {
  ColumnVector<std::int64_t> start;
  ColumnVector<std::int64_t> duration;  // >= 0
  ColumnVector<NameId> name;
  ColumnVector<NameId> type;      // Of an operator: "Conv2D"; kNoName if the source has none.
  ColumnVector<NameId> category;  // As the source has it.
  ColumnVector<NameId> detail;    // Everything else in the source, as the text of a JSON object.
  ColumnVector<LaneId> lane;
  // Row in the lane, from 0. Spans of a row do not overlap, except in the last of kMaxDepth rows.
  ColumnVector<std::uint16_t> depth;
  ColumnVector<SpanKind> kind;

  std::size_t size() const { return start.size(); }
  std::int64_t end(std::size_t i) const { return start[i] + duration[i]; }
};

inline constexpr std::uint16_t kMaxDepth = 65535;

struct Instant {
  std::int64_t time = 0;
  NameId name = kNoName;
  NameId detail = kNoName;
  LaneId lane{};
};

// A value over time, ordered by time.
struct Counter {
  NameId name = kNoName;  // "Memory/Bytes"
  LaneId lane{};
  ColumnVector<std::int64_t> time;
  ColumnVector<double> value;
};

enum class FlowPhase : std::uint8_t { kStart, kStep, kEnd };

// One point of an arrow; the points with the same id make up the arrow.
struct FlowPoint {
  std::int64_t time = 0;
  NameId id = kNoName;
  NameId name = kNoName;
  LaneId lane{};
  FlowPhase phase = FlowPhase::kStart;
};

// Events of the file that are not in the model, all for the same reason.
struct NotUnderstood {
  std::string reason;
  std::uint64_t count = 0;
  std::string example;  // The start of the first one.
};

struct Model {
  NamePool names;
  std::vector<Lane> lanes;
  Spans spans;
  ColumnVector<Instant> instants;
  std::vector<Counter> counters;
  ColumnVector<FlowPoint> flows;
  // Keys and texts with which the source describes itself.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<NotUnderstood> not_understood;
  // Number of events in the source; it is events_modelled plus the counts of not_understood.
  std::uint64_t events_in = 0;
  std::uint64_t events_modelled = 0;

  const Lane& lane_of(std::size_t span) const {
    return lanes[static_cast<std::uint32_t>(spans.lane[span])];
  }
};

// Times are within 100 years of zero, so that the sum and the difference of two of them fit.
inline constexpr std::int64_t kMaxTime = 3'155'760'000'000'000'000;
constexpr bool IsTime(std::int64_t time) { return time >= -kMaxTime && time <= kMaxTime; }

// The sum, or the greatest int64 if it is greater. Durations come from files that anybody may have
// written, and their sums must not overflow.
inline std::int64_t AddTimes(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// From the first start to the last end of all spans; both are 0 if there are no spans.
struct TimeRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
};
TimeRange Extent(const Model& model);

}  // namespace sightline::profiler
