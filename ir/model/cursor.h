// Cursor: the position of a reader in a file's text. It also reports problems at that position.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/parse_number.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

class Cursor {
 public:
  Cursor(std::string_view text, Module& module)
      : at_(text.data()), end_(text.data() + text.size()), module_(module) {}

  bool AtEnd() const { return at_ == end_; }
  // From here to the end of the file.
  std::string_view Rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  // From here to the end of this line, without the newline. REQUIRES: !AtEnd().
  std::string_view Line() const {
    const auto* newline =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    return {at_, static_cast<std::size_t>((newline == nullptr ? end_ : newline) - at_)};
  }
  // 1-based.
  std::uint32_t line_number() const { return line_; }

  // Skips `size` bytes, of which `newlines` are newlines, and the newline after them.
  void Skip(std::size_t size, std::uint32_t newlines = 0) {
    at_ += size;
    line_ += newlines;
    if (at_ != end_) {
      ++at_;
    } else {
      module_.ends_with_newline = false;
    }
    ++line_;
  }

  // Reports a problem `offset` bytes after the cursor, in this line.
  void Report(std::size_t offset, std::string message) {
    ReportAt(line_, static_cast<std::uint32_t>(offset + 1), std::move(message));
  }
  void ReportAt(std::uint32_t line, std::uint32_t column, std::string message) {
    if (module_.problem_count++ < Module::kMaxProblems)
      module_.problems.push_back({line, column, std::move(message)});
  }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint32_t line_ = 1;
  Module& module_;
};

// Removes `prefix` from the start of `text`; false if `text` does not start with it.
inline bool Consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

inline bool ConsumeSuffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// Removes a decimal number from the start of `text`: no sign, no leading zeros.
inline std::optional<std::uint32_t> ConsumeNumber(std::string_view& text) {
  std::string_view rest = text;
  const auto number = TakeNumber<std::uint32_t>(rest);
  if (!number || (text.front() == '0' && text.size() - rest.size() > 1)) return std::nullopt;
  text = rest;
  return number;
}

// The number that the whole of `text` is.
inline std::optional<std::uint32_t> ParseNumber(std::string_view text) {
  const auto number = ConsumeNumber(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace sightline::ir
