#include "sightline/base/json/json_line.h"

namespace sightline {
namespace {

template <typename Json>
std::string Text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string JsonLine(const nlohmann::ordered_json& json) { return Text(json, -1); }
std::string JsonLine(const std::same_as<nlohmann::json> auto& json) { return Text(json, -1); }
template std::string JsonLine(const nlohmann::json& json);

std::string IndentedJson(const nlohmann::ordered_json& json, int indent) {
  return Text(json, indent);
}
std::string IndentedJson(const std::same_as<nlohmann::json> auto& json, int indent) {
  return Text(json, indent);
}
template std::string IndentedJson(const nlohmann::json& json, int indent);

}  // namespace sightline
