#include "sightline/profiler/import/perfetto/track_event.h"

#include <array>
#include <charconv>
#include <cstring>

#include "sightline/base/json/json_text.h"
#include "sightline/base/wire.h"
#include "sightline/profiler/trace/perfetto_fields.h"

namespace sightline::profiler {
namespace {

using wire::Field;
using wire::Scanner;
namespace annotation = perfetto::annotation;
namespace entry = perfetto::entry;
namespace event = perfetto::event;
namespace interned = perfetto::interned;
namespace legacy = perfetto::legacy;

bool IsBytes(const Field& field) { return field.type == wire::WireType::kBytes; }

// Appends the numbers of a repeated field of uint64 or int64, packed or not.
template <typename Number>
void AppendNumbers(const Field& field, std::vector<Number>& numbers) {
  if (!IsBytes(field)) {
    numbers.push_back(static_cast<Number>(field.number_value));
    return;
  }
  std::uint64_t number = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    numbers.push_back(static_cast<Number>(number));
    number = 0;
    shift = 0;
  }
}

void AppendDoubles(const Field& field, std::vector<double>& doubles) {
  if (!IsBytes(field)) {
    doubles.push_back(field.AsDouble());
    return;
  }
  for (std::string_view rest = field.bytes; rest.size() >= sizeof(double);
       rest.remove_prefix(sizeof(double))) {
    double value = 0;
    std::memcpy(&value, rest.data(), sizeof(value));
    doubles.push_back(value);
  }
}

std::string NumberText(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

void AddInterned(std::string_view bytes, ModelBuilder& builder, InternedNames& names) {
  std::uint64_t iid = 0;
  NameId name = kNoName;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == entry::kIid && !IsBytes(field)) iid = field.number_value;
    if (field.number == entry::kText && IsBytes(field)) name = builder.Intern(field.bytes);
  }
  names.Set(iid, name);
}

void ParseLegacyEvent(std::string_view bytes, const EventDefinitions& definitions,
                      TrackEvent& event) {
  RareFields& rare = event.MakeRare();
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case legacy::kNameIid:
        event.name = definitions.names.Find(field.number_value);
        break;
      case legacy::kPhase:
        rare.phase = static_cast<char>(field.number_value);
        break;
      case legacy::kDurationUs:
        rare.duration_us = field.AsInt64();
        break;
      case legacy::kUnscopedId:
      case legacy::kLocalId:
      case legacy::kGlobalId:
        rare.id = field.number_value;
        break;
      default:
        break;
    }
  }
}

void ParseAnnotation(std::string_view bytes, const EventDefinitions& definitions,
                     ModelBuilder& builder, TrackEvent& event) {
  NameId name = kNoName;
  std::string value;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case annotation::kNameIid:
        name = definitions.annotation_names.Find(field.number_value);
        break;
      case annotation::kName:
        if (IsBytes(field)) name = builder.Intern(field.bytes);
        break;
      case annotation::kBool:
        value = field.number_value != 0 ? "true" : "false";
        break;
      case annotation::kUint:
      case annotation::kPointer:
        value = std::to_string(field.number_value);
        break;
      case annotation::kInt:
        value = std::to_string(field.AsInt64());
        break;
      case annotation::kDouble:
        value = NumberText(field.AsDouble());
        break;
      case annotation::kString:
        if (!IsBytes(field)) break;
        value.clear();
        AppendJsonText(field.bytes, value);
        if (builder.Name(name) == "type") event.operator_type = builder.Intern(field.bytes);
        break;
      default:
        break;
    }
  }
  if (value.empty()) return;
  if (!event.detail.empty()) event.detail += ',';
  // A long name is in the file once, but would be in the detail of every event.
  constexpr std::size_t kMaxName = 256;
  AppendJsonText(builder.Name(name).substr(0, kMaxName), event.detail);
  event.detail.append(1, ':').append(value);
}

}  // namespace

void InternedNames::Set(std::uint64_t iid, NameId name) {
  // Only in proportion to the ids so far, since a forged file may have any id.
  constexpr std::size_t kLeap = 64;
  if (iid > 2 * dense_.size() + kLeap) {
    sparse_[iid] = name;
    return;
  }
  if (iid >= dense_.size()) dense_.resize(static_cast<std::size_t>(iid) + 1, kNoName);
  dense_[static_cast<std::size_t>(iid)] = name;
  if (!sparse_.empty()) sparse_.erase(iid);
}

void ReadInterned(std::string_view bytes, ModelBuilder& builder, EventDefinitions& definitions) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (!IsBytes(field)) continue;
    if (field.number == interned::kCategories)
      AddInterned(field.bytes, builder, definitions.categories);
    if (field.number == interned::kEventNames) AddInterned(field.bytes, builder, definitions.names);
    if (field.number == interned::kAnnotationNames)
      AddInterned(field.bytes, builder, definitions.annotation_names);
  }
}

void ReadEventDefaults(std::string_view bytes, EventDefinitions& definitions) {
  definitions.extra_counters.clear();
  definitions.extra_double_counters.clear();
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == event::kTrackUuid) definitions.track = field.number_value;
    if (field.number == event::kExtraCounterTracks)
      AppendNumbers(field, definitions.extra_counters);
    if (field.number == event::kExtraDoubleCounterTracks)
      AppendNumbers(field, definitions.extra_double_counters);
  }
}

TrackEvent ParseTrackEvent(std::string_view bytes, const EventDefinitions& definitions,
                           ModelBuilder& builder) {
  TrackEvent event;
  event.track = definitions.track;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case event::kType:
        event.type = field.number_value;
        break;
      case event::kTrackUuid:
        event.track = field.number_value;
        break;
      case event::kNameIid:
        event.name = definitions.names.Find(field.number_value);
        break;
      case event::kName:
        if (IsBytes(field)) event.name = builder.Intern(field.bytes);
        break;
      case event::kCategoryIid:
        if (!IsBytes(field)) event.category = definitions.categories.Find(field.number_value);
        break;
      case event::kCategory:
        if (IsBytes(field)) event.category = builder.Intern(field.bytes);
        break;
      case event::kIntegerCounterValue:
        event.value = static_cast<double>(field.AsInt64());
        break;
      case event::kCounterValue:
        event.value = field.AsDouble();
        break;
      case event::kExtraCounterTracks:
        AppendNumbers(field, event.MakeRare().extra_counters);
        break;
      case event::kExtraDoubleCounterTracks:
        AppendNumbers(field, event.MakeRare().extra_double_counters);
        break;
      case event::kExtraCounterValues:
        AppendNumbers(field, event.MakeRare().extra_values);
        break;
      case event::kExtraDoubleCounterValues:
        AppendDoubles(field, event.MakeRare().extra_double_values);
        break;
      case event::kTimestampDeltaUs:
        event.MakeRare().delta_us = field.AsInt64();
        break;
      case event::kTimestampAbsoluteUs:
        event.MakeRare().absolute_us = field.AsInt64();
        break;
      case event::kLegacyEvent:
        if (IsBytes(field)) ParseLegacyEvent(field.bytes, definitions, event);
        break;
      case event::kAnnotation:
        if (IsBytes(field)) ParseAnnotation(field.bytes, definitions, builder, event);
        break;
      case event::kFlowId:
      case event::kOldFlowId:
        if (!IsBytes(field)) event.flows.emplace_back(field.number_value, false);
        break;
      case event::kLastFlowId:
      case event::kOldLastFlowId:
        if (!IsBytes(field)) event.flows.emplace_back(field.number_value, true);
        break;
      default:
        break;
    }
  }
  return event;
}

}  // namespace sightline::profiler
