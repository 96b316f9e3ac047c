#include "sightline/recorder/translation/logged_values.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/recorder/translation/event_bytes.h"
#include "sightline/recorder/translation/typed_object.h"

namespace sightline {
namespace {

using Json = nlohmann::json;

std::optional<std::vector<double>> NumbersOf(const Json& object, const char* name) {
  const auto list = object.find(name);
  if (list == object.end() || !list->is_array()) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(list->size());
  for (const Json& number : *list) {
    if (!number.is_number()) return std::nullopt;
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

// The edges of a histogram's bins: all of them, or where the first begins, and how wide they are.
std::optional<std::vector<double>> EdgesOf(const Json& histogram, std::size_t bins) {
  const auto packed = histogram.find("packedBins");
  if (packed == histogram.end() || !packed->is_object()) return NumbersOf(histogram, "bins");
  const auto min = packed->find("min");
  const auto size = packed->find("size");
  if (min == packed->end() || !min->is_number() || size == packed->end() || !size->is_number())
    return std::nullopt;
  std::vector<double> edges;
  edges.reserve(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i)
    edges.push_back(min->get<double>() + static_cast<double>(i) * size->get<double>());
  return edges;
}

class Writer {
 public:
  explicit Writer(std::vector<std::string>& unread) : unread_(unread) {}

  void Add(const std::string& name, std::string_view json) {
    if (const auto number = NumberOfJson(json)) return event_.AddScalar(name, *number);
    Add(name, ParseForeignJson<Json>(json));
  }

  void Add(const std::string& name, const Json& value) {
    if (value.is_null()) return;
    if (value.is_boolean()) return event_.AddScalar(name, value.get<bool>() ? 1 : 0);
    if (value.is_number()) return event_.AddScalar(name, value.get<double>());
    if (value.is_string()) return event_.AddText(name, value.get_ref<const std::string&>());
    if (!value.is_object()) {
      unread_.emplace_back(value.is_array() ? "list" : "value that is not JSON");
      return;
    }
    if (const auto type = value.find(kTypeMember); type != value.end() && type->is_string())
      return AddObject(name, type->get_ref<const std::string&>(), value);
    for (const auto& [key, member] : value.items()) {
      std::string below = name;
      Add(below.append(1, '.').append(key), member);
    }
  }

  EventBytes& event() { return event_; }

 private:
  void AddObject(const std::string& name, const std::string& type, const Json& value) {
    if (type == "histogram") {
      const auto counts = NumbersOf(value, "values");
      const auto edges = counts ? EdgesOf(value, counts->size()) : std::nullopt;
      if (edges && !counts->empty() && edges->size() == counts->size() + 1)
        return event_.AddHistogram(name, *edges, *counts);
    }
    unread_.push_back(type);
  }

  EventBytes event_;
  std::vector<std::string>& unread_;
};

}  // namespace

std::optional<double> NumberOfJson(std::string_view json) {
  if (json == "\"NaN\"" || json == "\"Infinity\"" || json == "\"-Infinity\"")
    json = json.substr(1, json.size() - 2);
  return ParseNumber<double>(json);
}

std::string LoggedValues::Take(double wall_time, std::int64_t step,
                               std::vector<std::string>& unread) {
  // The objects that are one value, whose members came one by one.
  std::map<std::string, Json, std::less<>> objects;
  for (const auto& [name, json] : values_) {
    if (const auto object = ObjectOfType(name))
      objects.try_emplace(std::string(*object), Json::object());
  }
  Writer writer(unread);
  for (const auto& [name, json] : values_) {
    auto object = objects.end();
    const bool is_member = IsMember(name, [&](std::string_view outer) {
      object = objects.find(outer);
      return object != objects.end();
    });
    if (!is_member) {
      writer.Add(name, json);
      continue;
    }
    // A member of a member, such as packedBins.min.
    Json* place = &object->second;
    std::string_view rest = name;
    rest.remove_prefix(object->first.size() + 1);
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      Json& inner = (*place)[std::string(rest.substr(0, dot))];
      if (!inner.is_object()) inner = Json::object();
      place = &inner;
      rest = rest.substr(dot + 1);
    }
    (*place)[std::string(rest)] = ParseForeignJson<Json>(json);
  }
  for (const auto& [name, object] : objects) writer.Add(name, object);
  values_.clear();
  return writer.event().Take(wall_time, step);
}

}  // namespace sightline
