#include "sightline/ir/report/diff_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::ir {
namespace {

using Json = nlohmann::ordered_json;

std::string_view ToString(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kChanged:
      return "changed";
  }
  return {};
}

std::string_view ToString(ElementKind kind) {
  switch (kind) {
    case ElementKind::kSubgraph:
      return "subgraph";
    case ElementKind::kParameter:
      return "parameter";
    case ElementKind::kNode:
      return "node";
    case ElementKind::kActor:
      return "actor";
  }
  return {};
}

Json PropertiesToJson(const DiffText& text, const Change& change) {
  const auto value = [&](const std::optional<ChangedValue>& of) {
    return of ? Json(text.Value(*of)) : Json();
  };
  Json properties = Json::array();
  for (const PropertyChange& property : change.properties) {
    Json json = {{"property", Describe(property.kind)}};
    if (IsNumbered(property.kind)) json["position"] = property.position;
    if (property.key != kNoText) json["key"] = text.diff().texts[property.key];
    if (change.kind != ChangeKind::kAdded) json["before"] = value(property.before);
    json["after"] = value(property.after);
    properties.push_back(std::move(json));
  }
  return properties;
}

void AddPlace(const DiffText& text, const Change& change, ElementKind kind, Json& json) {
  if (!change.place || kind == ElementKind::kSubgraph) return;
  const NewPlace& place = *change.place;
  if (change.kind != ChangeKind::kAdded) json[place.other_subgraph ? "moved" : "reordered"] = true;
  if (kind != ElementKind::kActor) json["subgraph"] = text.Name(place.owner);
  const bool is_first = place.after.element == kNoIndex;
  json["behind"] = is_first ? Json() : Json(text.Name(place.after));
}

Json ChangeToJson(const DiffText& text, const Change& change) {
  const Element& element = text.ElementOf(change);
  Json json = {{"change", ToString(change.kind)},
               {"element", ToString(element.kind)},
               {"name", text.Name(change)}};
  if (change.kind == ChangeKind::kChanged) json["name_in_b"] = text.Name({true, change.in_b});
  if (element.kind == ElementKind::kNode)
    json["statement"] = text.NodesOf(change).Statement(element.index);
  json["ambiguous"] = change.ambiguous;
  if (change.kind != ChangeKind::kRemoved) json["properties"] = PropertiesToJson(text, change);
  AddPlace(text, change, element.kind, json);
  return json;
}

}  // namespace

Json CountsToJson(const DiffCounts& counts) {
  Json json;
  for (const auto& [name, count] : NamedCounts(counts)) json[std::string(name)] = count;
  json["ambiguous"] = counts.ambiguous;
  return json;
}

Json DiffToJson(const DiffText& text) {
  Json json = {{"equal", text.diff().equal()},
               {"counts", CountsToJson(CountChanges(text.diff()))},
               {"changes", Json::array()}};
  for (const Change& change : text.diff().changes)
    json["changes"].push_back(ChangeToJson(text, change));
  return json;
}

}  // namespace sightline::ir
