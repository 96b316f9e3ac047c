#include "sightline/base/json/json_line.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "sightline/base/text/control_character.h"

namespace sightline {
namespace {

// nlohmann's library leaves U+007F to U+009F as they are; terminals obey them.
void EscapeHighControls(std::string& text) {
  const std::string_view view = text;
  const auto control = [&](std::size_t at) -> std::size_t {
    const bool is_control = text[at] == '\x7f' || text[at] == '\xc2';
    return is_control ? ControlSize(view.substr(at)) : 0;
  };
  std::size_t at = text.find_first_of("\x7f\xc2");
  while (at != std::string::npos && control(at) == 0) at = text.find_first_of("\x7f\xc2", at + 1);
  if (at == std::string::npos) return;
  std::string escaped = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t size = control(at);
    if (size == 0) {
      escaped += text[at++];
      continue;
    }
    escaped += size == 1 ? "\\u007f" : "";
    if (size == 2) AppendEscape(view.substr(at, size), escaped);
    at += size;
  }
  text = std::move(escaped);
}

template <typename Json>
std::string Text(const Json& json, int indent) {
  std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  EscapeHighControls(text);
  return text;
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
