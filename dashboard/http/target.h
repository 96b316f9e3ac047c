// Target: the path and the parameters in a request's first line, decoded once and checked.
//
// Pure functions; may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::dashboard {

struct Target {
  std::string path;                                             // Decoded; begins with '/'.
  std::vector<std::pair<std::string, std::string>> parameters;  // Decoded, in the order given.

  // The first of that name; no value if there is none.
  std::optional<std::string_view> Find(std::string_view name) const;
  // The first of that name, or `otherwise`.
  std::string Get(std::string_view name, std::string_view otherwise = {}) const;
  std::vector<std::string> All(std::string_view name) const;
  // The value as a whole number; `otherwise` if it is left out or empty. kInvalidArgument, with the
  // parameter's name, unless it is a whole number from `smallest` to `largest`.
  Result<std::int64_t> Integer(std::string_view name, std::int64_t otherwise, std::int64_t smallest,
                               std::int64_t largest) const;
  // The value as a finite number; no value if it is left out or empty. kInvalidArgument otherwise.
  Result<std::optional<double>> Number(std::string_view name) const;
};

// "%2F" -> "/". No value if a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> DecodePercent(std::string_view text);

// Accepts only the origin form ("/path?name=value"; RFC 9112, 3.2.1). kInvalidArgument for any
// other form; for a percent sign without two hexadecimal digits, control characters, or text that
// is not UTF-8; for a path with an empty, "." or ".." segment (encoded or not) or a backslash; and
// for more than 1000 parameters.
Result<Target> ParseTarget(std::string_view text);

}  // namespace sightline::dashboard
