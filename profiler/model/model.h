// What a profile holds, whoever wrote it: columns of spans, counters, flows and instants on lanes.
//
// Times are integer nanoseconds of the profile's own clock (Model::clock says which where that is
// known). Names are interned. The spans of a lane lie side by side, in the order of their starts, a
// longer one before a shorter one with the same start. Immutable once built (ModelBuilder), so any
// number of threads may read.
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

#include "sightline/base/column_memory.h"
#include "sightline/profiler/model/name_pool.h"

namespace sightline::profile {

enum class LaneId : std::uint32_t {};

// What is executed on a lane.
enum class LaneKind : std::uint8_t { kThread, kStream, kStep, kScope, kAsync };

// What a span stands for, as far as its source says.
enum class SpanKind : std::uint8_t {
  kOther,
  kOperator,       // An operator on the host.
  kKernel,         // A kernel or copy on a device.
  kStep,           // A step of the training.
  kScope,          // Consecutive operators of a network's layer; covers them.
  kCommunication,  // Between devices or processes.
  kDataWait,       // Waiting for the next batch.
  kAnnotation,     // A mark of the user's.
  kPython,         // A function of Python's.
  kRuntime,        // The framework's own work: launching, scheduling, locks.
};

// "operator", "kernel", ...
std::string_view SpanKindName(SpanKind kind);
std::string_view LaneKindName(LaneKind kind);

struct Lane {
  NameId process = kNoName;  // As the file names it: "2", "Spans".
  NameId thread = kNoName;
  NameId process_name = kNoName;  // kNoName where the file says none.
  NameId thread_name = kNoName;
  NameId labels = kNoName;  // Of the process: "CPU".
  std::int64_t process_sort = 0;
  std::int64_t thread_sort = 0;
  LaneKind kind = LaneKind::kThread;
  std::size_t first = 0;  // Its spans: [first, first + count).
  std::size_t count = 0;
  std::uint16_t depths = 0;  // Rows that its spans need, one below the other.
};

// All columns have the same length.
struct Spans {
  ColumnVector<std::int64_t> start;
  ColumnVector<std::int64_t> duration;  // >= 0
  ColumnVector<NameId> name;
  ColumnVector<NameId> type;      // Of an operator; kNoName where the source says none.
  ColumnVector<NameId> category;  // The source's own word.
  ColumnVector<NameId> detail;    // What else the source says: a JSON object's text.
  ColumnVector<LaneId> lane;
  // Row within the lane; spans of a row do not overlap, but in the last of kMaxDepth rows.
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

// A value over time, in the order of the times.
struct Counter {
  NameId name = kNoName;  // "Memory/Bytes"
  LaneId lane{};
  ColumnVector<std::int64_t> time;
  ColumnVector<double> value;
};

enum class FlowPhase : std::uint8_t { kStart, kStep, kEnd };

// One point of an arrow; points with one id belong together.
struct FlowPoint {
  std::int64_t time = 0;
  NameId id = kNoName;
  NameId name = kNoName;
  LaneId lane{};
  FlowPhase phase = FlowPhase::kStart;
};

// Events that are in the file and not in the model, by reason.
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
  // What the source says about itself: key and text.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<NotUnderstood> not_understood;
  // Events of the source: events_in = events_modelled + the counts of not_understood.
  std::uint64_t events_in = 0;
  std::uint64_t events_modelled = 0;

  const Lane& lane_of(std::size_t span) const {
    return lanes[static_cast<std::uint32_t>(spans.lane[span])];
  }
};

// Times are within 100 years of zero, so that differences and sums of two of them fit.
inline constexpr std::int64_t kMaxTime = 3'155'760'000'000'000'000;
constexpr bool IsTime(std::int64_t time) { return time >= -kMaxTime && time <= kMaxTime; }

// The sum, or the greatest value there is: sums of foreign durations must not overflow.
inline std::int64_t AddTimes(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// From the first start to the last end of all spans; both 0 where there are none.
struct TimeRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
};
TimeRange ExtentOf(const Model& model);

}  // namespace sightline::profile
