// Reads JSON that anybody may have written. Any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace sightline {

// Deeper JSON is refused. A level takes many times the memory of its bracket, and printing recurses
// into it.
inline constexpr std::size_t kMaxJsonDepth = 256;

// Whether arrays and objects are nested deeper than kMaxJsonDepth. Allocates nothing. `json` may be
// any text.
bool IsDeepJson(std::string_view json);

// Json is nlohmann::json or nlohmann::ordered_json. Returns the value, or a discarded one
// (is_discarded()) if `text` is not JSON, or is nested too deeply.
template <typename Json>
Json ParseForeignJson(std::string_view text) {
  if (IsDeepJson(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace sightline
