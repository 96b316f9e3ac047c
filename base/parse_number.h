// Parses numbers by std::from_chars: independent of the locale, no spaces, no sign but '-'.
// Any thread.
//
//   ParseNumber<std::int64_t>("17")          // 17
//   ParseNumber<int>("17 MB")                // nothing
//   std::string_view text = "17 MB";
//   TakeNumber<int>(text)                    // 17, and text is " MB"
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace sightline {

// The number at the front of `text`, which is removed from it; nothing, with `text` unchanged, if
// there is none or it does not fit.
template <typename Number>
std::optional<Number> TakeNumber(std::string_view& text) {
  Number number{};
  const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
  return number;
}

// The number that `text` is; nothing if there is more in it.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  const auto number = TakeNumber<Number>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace sightline
