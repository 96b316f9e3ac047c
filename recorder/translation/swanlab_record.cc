#include "sightline/recorder/translation/swanlab_record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/translation/event_bytes.h"
#include "sightline/recorder/translation/logged_values.h"
#include "sightline/recorder/translation/record_time.h"

namespace sightline {
namespace {

using Json = nlohmann::json;
using wire::Field;
using wire::Scanner;
using wire::WireType;

constexpr std::string_view kOfMachine = "__swanlab__.";

void AddScalar(std::string_view key, std::int64_t step, double wall_time, double value,
               TranslatorState& state, Translation& translation) {
  EventBytes event;
  if (key.starts_with(kOfMachine)) {
    event.AddScalar("system/" + std::string(key.substr(kOfMachine.size())), value);
  } else {
    state.last_step = step;
    event.AddScalar(key, value);
  }
  translation.event = event.Take(wall_time, state.last_step);
}

// --- Version 1 ---

std::string TextOf(const Json& object, const char* name) {
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

std::optional<double> NumberIn(const Json& object, const char* name) {
  const auto value = object.find(name);
  if (value == object.end()) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  return NumberOfJson(TextOf(object, name));
}

void TranslateScalar(const Json& data, TranslatorState& state, Translation& translation) {
  const auto metric = data.find("metric");
  const auto step = data.find("step");
  const std::string key = TextOf(data, "key");
  const bool complete = metric != data.end() && metric->is_object() && step != data.end() &&
                        step->is_number_integer() && !key.empty();
  const auto number = complete ? NumberIn(*metric, "data") : std::nullopt;
  if (!number) {
    translation.unread.emplace_back("scalar of another form");
    return;
  }
  AddScalar(key, step->get<std::int64_t>(), SecondsOfIso(TextOf(*metric, "create_time")), *number,
            state, translation);
}

void AddTags(const Json& data, Translation& translation) {
  const auto tags = data.find("tags");
  if (tags == data.end() || !tags->is_array()) return;
  std::string all;
  for (const Json& tag : *tags)
    if (tag.is_string()) all += (all.empty() ? "" : ", ") + tag.get<std::string>();
  translation.AddText("run.tags", all);
}

bool TranslateJson(std::string_view record, TranslatorState& state, Translation& translation) {
  const Json json = ParseForeignJson<Json>(record);
  if (!json.is_object()) return false;
  const std::string type = TextOf(json, "model_type");
  const auto found = json.find("data");
  if (found == json.end() || !found->is_object()) {
    translation.unread.push_back(type.empty() ? "record without a type" : type);
    return true;
  }
  const Json& data = *found;
  if (type == "Scalar") {
    TranslateScalar(data, state, translation);
  } else if (type == "Project") {
    translation.AddText("run.project", TextOf(data, "name"));
    translation.AddText("run.entity", TextOf(data, "workspace"));
  } else if (type == "Experiment") {
    translation.AddText("run.id", TextOf(data, "id"));
    translation.AddText("run.name", TextOf(data, "name"));
    translation.AddText("run.notes", TextOf(data, "description"));
    AddTags(data, translation);
  } else if (type == "Footer") {
    const auto success = data.find("success");
    const bool well = success != data.end() && success->is_boolean() && success->get<bool>();
    translation.AddText("run.outcome", well ? "finished" : "crashed");
    translation.ends = true;
  } else if (type == "Log") {
    translation.unread.emplace_back("console");
  } else if (type != "Header" && type != "Column" && type != "Runtime") {
    translation.unread.push_back(type.empty() ? "record without a type" : type);
  }
  return true;
}

// --- Version 2 ---

// Numbers that are 0 are left out.
void TranslateScalar(std::string_view scalar, TranslatorState& state, Translation& translation) {
  std::string_view key;
  std::int64_t step = 0;
  double wall_time = 0;
  double value = 0;
  Field field;
  for (Scanner scan(scalar); scan.Next(field);) {
    if (field.number == 2 && field.type == WireType::kVarint) step = field.AsInt64();
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) key = field.bytes;
    if (field.number == 4) wall_time = SecondsOfTimestamp(field.bytes);
    if (field.number != 5) continue;
    Field number;
    for (Scanner inner(field.bytes); inner.Next(number);)
      if (number.number == 1 && number.type == WireType::kFixed64) value = number.AsDouble();
  }
  AddScalar(key, step, wall_time, value, state, translation);
}

void TranslateStart(std::string_view start, Translation& translation) {
  constexpr std::pair<std::uint32_t, const char*> kNames[] = {
      {1, "run.project"}, {2, "run.entity"},   {4, "run.name"}, {5, "run.notes"},
      {7, "run.group"},   {8, "run.job_type"}, {10, "run.id"}};
  std::string tags;
  Field field;
  for (Scanner scan(start); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    for (const auto& [number, name] : kNames)
      if (field.number == number) translation.AddText(name, field.bytes);
    if (field.number == 6) tags += (tags.empty() ? "" : ", ") + std::string(field.bytes);
  }
  translation.AddText("run.tags", tags);
}

void TranslateFinish(std::string_view finish, Translation& translation) {
  std::int64_t state = 0;
  Field field;
  for (Scanner scan(finish); scan.Next(field);) {
    if (field.number == 1 && field.type == WireType::kVarint) state = field.AsInt64();
    if (field.number == 2 && field.type == WireType::kBytes)
      translation.AddText("run.error", field.bytes);
  }
  constexpr const char* kOutcomes[] = {"running", "finished", "crashed", "aborted"};
  if (state > 0 && state < 4) translation.AddText("run.outcome", kOutcomes[state]);
  translation.ends = state != 0;
}

// ColumnType, by number.
std::string KindOfMedia(std::string_view media) {
  constexpr const char* kKinds[] = {"media", "scalar",  "image",    "audio",    "text",
                                    "video", "echarts", "object3d", "molecule", "html"};
  std::uint64_t type = 0;
  Field field;
  for (Scanner scan(media); scan.Next(field);)
    if (field.number == 3 && field.type == WireType::kVarint) type = field.number_value;
  return type < std::size(kKinds) ? kKinds[type] : kKinds[0];
}

bool TranslateMessage(std::string_view record, TranslatorState& state, Translation& translation) {
  Field field;
  Scanner scan(record);
  while (scan.Next(field)) {
    if (field.type != WireType::kBytes) continue;
    switch (field.number) {
      case 2:   // The time of the record.
      case 12:  // How a value is shown.
      case 20:  // A file beside this one.
        break;
      case 10:
        TranslateStart(field.bytes, translation);
        break;
      case 11:
        TranslateFinish(field.bytes, translation);
        break;
      case 13:
        TranslateScalar(field.bytes, state, translation);
        break;
      case 14:
        translation.unread.push_back(KindOfMedia(field.bytes));
        break;
      case 16:
        translation.unread.emplace_back("console");
        break;
      default:
        translation.unread.push_back(fmt::format("record {}", field.number));
    }
  }
  return !scan.malformed();
}

}  // namespace

// A message cannot begin with '{', which would be a group.
bool TranslateSwanLab(std::string_view record, TranslatorState& state, Translation& translation) {
  translation.Clear();
  return record.starts_with('{') ? TranslateJson(record, state, translation)
                                 : TranslateMessage(record, state, translation);
}

}  // namespace sightline
