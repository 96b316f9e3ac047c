// Parses numbers by std::from_chars: independent of the locale, no spaces, no sign but '-'.
// Any thread.
//
//   ParseNumber<std::int64_t>("17")          // 17
//   ParseNumber<int>("17 MB")                // no value
//   std::string_view text = "17 MB";
//   TakeNumber<int>(text)                    // 17, and text is " MB"
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace sightline {

// Removes the number at the front of `text` and returns it. No value, with `text` unchanged, if
// there is none or if it does not fit.
template <typename Number>
std::optional<Number> TakeNumber(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// The number that the whole of `text` is, or no value.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  const auto number = TakeNumber<Number>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace sightline
