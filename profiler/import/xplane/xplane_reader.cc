#include "sightline/profiler/import/xplane/xplane_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/profiler/import/source/message_stream.h"
#include "sightline/profiler/import/source/span_kind.h"

namespace sightline::profiler {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

constexpr std::int64_t kPicosecondsPerNanosecond = 1000;

bool IsBytes(const Field& field) { return field.type == WireType::kBytes; }

// Names by id, of a map<int64, {id = 1, name = 2}>.
using Names = std::unordered_map<std::uint64_t, NameId>;

void AddName(std::string_view entry, ModelBuilder& builder, Names& names) {
  std::uint64_t id = 0;
  NameId name = kNoName;
  Field field;
  for (Scanner scan(entry); scan.Next(field);) {
    if (field.number == 1 && !IsBytes(field)) id = field.number_value;
    if (field.number != 2 || !IsBytes(field)) continue;
    Field inner;
    for (Scanner value(field.bytes); value.Next(inner);) {
      if (inner.number == 2 && IsBytes(inner)) name = builder.Intern(inner.bytes);
    }
  }
  names[id] = name;
}

struct Plane {
  std::string name;
  Names events, stats;
};

struct Line {
  std::string name;
  std::string id;
  std::int64_t start = 0;
};

struct Event {
  std::uint64_t id = 0;
  std::int64_t offset = 0;
  std::int64_t duration = 0;
  bool is_operator = false;
  bool is_sum = false;
  std::optional<std::int64_t> step;
};

// An XStat: {metadata_id = 1, uint64_value = 3, int64_value = 4, ...}.
void ReadStat(std::string_view bytes, const ModelBuilder& builder, const Plane& plane,
              Event& event) {
  std::string_view name;
  std::optional<std::int64_t> number;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (IsBytes(field)) continue;
    if (field.number == 3 || field.number == 4) number = field.AsInt64();
    if (field.number != 1) continue;
    const auto found = plane.stats.find(field.number_value);
    if (found != plane.stats.end()) name = builder.Name(found->second);
  }
  if (name == "hlo_op") event.is_operator = true;
  if (name == "step_num") event.step = number;
}

Event ParseEvent(std::string_view bytes, const ModelBuilder& builder, const Plane& plane) {
  Event event;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == 1) event.id = field.number_value;
    if (field.number == 2) event.offset = field.AsInt64();
    if (field.number == 3) event.duration = field.AsInt64();
    if (field.number == 5) event.is_sum = true;
    if (field.number != 4 || !IsBytes(field)) continue;
    ReadStat(field.bytes, builder, plane, event);
  }
  return event;
}

void AddEvent(const Event& event, const Plane& plane, const Line& line, LaneId lane,
              ModelBuilder& builder) {
  const auto found = plane.events.find(event.id);
  const NameId name = found == plane.events.end() ? kNoName : found->second;
  // An event that stands for several occurrences has no time of its own.
  if (event.is_sum) return builder.NotUnderstand("a sum of several events", builder.Name(name));
  NewSpan span;
  span.start =
      line.start + (event.offset + kPicosecondsPerNanosecond / 2) / kPicosecondsPerNanosecond;
  span.duration = (event.duration + kPicosecondsPerNanosecond / 2) / kPicosecondsPerNanosecond;
  span.name = name;
  span.lane = lane;
  span.kind = ClassifySpan("", builder.Name(name));
  if (event.is_operator && span.kind == SpanKind::kOther) span.kind = SpanKind::kOperator;
  // jax.profiler.StepTraceAnnotation("train", step_num=3).
  if (event.step && span.kind == SpanKind::kOther) {
    span.kind = SpanKind::kStep;
    span.name = builder.Intern(NameOfStep(builder.Name(name), *event.step));
  }
  const bool fits = event.offset >= 0 && IsTime(event.offset) && IsTime(event.duration);
  if (fits && builder.AddSpan(span)) return builder.CountEvent();
  builder.NotUnderstand("an event with an impossible time", builder.Name(name));
}

// Reads the line that the stream has entered.
void ReadLine(MessageStream& stream, const Plane& plane, ModelBuilder& builder) {
  Line line;
  std::optional<LaneId> lane;
  const auto find_lane = [&] {
    if (!lane) lane = builder.AddLane(plane.name, line.id);
    return *lane;
  };
  Field field;
  while (stream.Next(field)) {
    if (field.number == 1) line.id = std::to_string(field.number_value);
    if (field.number == 2 && IsBytes(field)) line.name = stream.Take();
    if (field.number == 3 && IsTime(field.AsInt64())) line.start = field.AsInt64();
    if (field.number == 4 && IsBytes(field))
      AddEvent(ParseEvent(stream.Take(), builder, plane), plane, line, find_lane(), builder);
    if (field.number == 11 && IsBytes(field) && line.name.empty()) line.name = stream.Take();
  }
  builder.lane(find_lane()).thread_name = builder.Intern(line.name);
}

// The name of the plane that the stream has entered, and those of its events.
Plane ReadNames(MessageStream& stream, ModelBuilder& builder) {
  Plane plane;
  Field field;
  while (stream.Next(field)) {
    if (!IsBytes(field)) continue;
    if (field.number == 2) plane.name = stream.Take();
    if (field.number == 4) AddName(stream.Take(), builder, plane.events);
    if (field.number == 5) AddName(stream.Take(), builder, plane.stats);
  }
  return plane;
}

}  // namespace

Status ReadXplane(const std::function<Result<std::unique_ptr<ByteSource>>()>& open,
                  ModelBuilder& builder) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names_source, open());
  MessageStream names(*names_source);
  std::vector<Plane> planes;
  Field field;
  while (names.Next(field)) {
    if (field.number != 1 || !IsBytes(field)) continue;
    names.Enter();
    Plane plane = ReadNames(names, builder);
    if (names.status().ok()) planes.push_back(std::move(plane));
  }
  if (planes.empty() && names.status().ok())
    return {StatusCode::kInvalidArgument, "not an xplane file: it has no plane"};

  SIGHTLINE_ASSIGN_OR_RETURN(const auto events_source, open());
  MessageStream events(*events_source);
  for (std::size_t next = 0; next < planes.size() && events.Next(field);) {
    if (field.number != 1 || !IsBytes(field)) continue;
    const Plane& plane = planes[next++];
    builder.NameProcess(plane.name, plane.name);
    events.Enter();
    while (events.Next(field)) {
      if (field.number != 3 || !IsBytes(field)) continue;
      events.Enter();
      ReadLine(events, plane, builder);
    }
  }
  return names.status();
}

}  // namespace sightline::profiler
