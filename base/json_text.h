// JSON as text: for code that writes it piece by piece, and for what others wrote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

// Appends `text` in quotes, escaped as RFC 8259, section 7, requires. Bytes that are not UTF-8
// become U+FFFD (utf8.h). Any thread.
void AppendJsonText(std::string_view text, std::string& out);

// Whether arrays and objects lie in each other more than kMaxJsonDepth deep. Takes no memory; the
// text may be any. Any thread.
inline constexpr std::size_t kMaxJsonDepth = 256;
bool IsDeepJson(std::string_view json);

// For texts that anybody may have written: nlohmann::json or its ordered kin, discarded for what is
// no JSON or is deep. A level takes many times its bracket, and is printed by recursion.
template <typename Json>
Json ParseForeignJson(std::string_view text) {
  if (IsDeepJson(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace sightline
