// JSON as text. Strings whose bytes are not UTF-8, as recorded names and paths may be, have U+FFFD
// in place of these bytes. Any thread.
//
//   std::puts(JsonLine({{"path", path}, {"events", 3}}).c_str());  // {"path":"run","events":3}
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>

namespace sightline {

// On one line, without spaces and without a line break at the end. NaN and infinities are null.
std::string JsonLine(const nlohmann::ordered_json& json);
std::string JsonLine(const std::same_as<nlohmann::json> auto& json);

// One member or element on a line, indented by `indent` spaces for each level.
std::string IndentedJson(const nlohmann::ordered_json& json, int indent = 2);
std::string IndentedJson(const std::same_as<nlohmann::json> auto& json, int indent = 2);

}  // namespace sightline
