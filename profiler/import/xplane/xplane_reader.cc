#include "sightline/profiler/import/xplane/xplane_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "sightline/base/wire.h"
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

bool ReadLine(std::string_view bytes, const Plane& plane, ModelBuilder& builder) {
  Line line;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == 1) line.id = std::to_string(field.number_value);
    if (field.number == 2 && IsBytes(field)) line.name = field.bytes;
    if (field.number == 3) line.start = field.AsInt64();
    if (field.number == 11 && IsBytes(field) && line.name.empty()) line.name = field.bytes;
  }
  if (!IsTime(line.start)) line.start = 0;
  const LaneId lane = builder.AddLane(plane.name, line.id);
  builder.lane(lane).thread_name = builder.Intern(line.name);
  Scanner events(bytes);
  while (events.Next(field)) {
    if (field.number == 4 && IsBytes(field))
      AddEvent(ParseEvent(field.bytes, builder, plane), plane, line, lane, builder);
  }
  return !events.malformed();
}

bool ReadPlane(std::string_view bytes, ModelBuilder& builder) {
  Plane plane;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (!IsBytes(field)) continue;
    if (field.number == 2) plane.name = field.bytes;
    if (field.number == 4) AddName(field.bytes, builder, plane.events);
    if (field.number == 5) AddName(field.bytes, builder, plane.stats);
  }
  builder.NameProcess(plane.name, plane.name);
  bool sound = true;
  Scanner lines(bytes);
  while (lines.Next(field)) {
    if (field.number == 3 && IsBytes(field)) sound = ReadLine(field.bytes, plane, builder) && sound;
  }
  return sound && !lines.malformed();
}

}  // namespace

Status ReadXplane(std::string_view bytes, ModelBuilder& builder) {
  bool sound = true;
  if (bytes.empty()) return {StatusCode::kInvalidArgument, "not an xplane file: it is empty"};
  Field field;
  Scanner planes(bytes);
  while (planes.Next(field)) {
    if (field.number == 1 && IsBytes(field)) sound = ReadPlane(field.bytes, builder) && sound;
  }
  if (sound && !planes.malformed()) return {};
  return {StatusCode::kDataLoss, "the file ends within a message, or is not an xplane file"};
}

}  // namespace sightline::profiler
