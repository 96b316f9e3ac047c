// Target: the path and the parameters of a request's first line, decoded once and checked.
//
// Pure functions, callable from any thread.
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
  std::vector<std::pair<std::string, std::string>> parameters;  // Decoded, in their order.

  // The first of that name; nothing where there is none.
  std::optional<std::string_view> Find(std::string_view name) const;
  // The first of that name, or `otherwise`.
  std::string Get(std::string_view name, std::string_view otherwise = {}) const;
  std::vector<std::string> All(std::string_view name) const;
  // kInvalidArgument, which names the parameter, for what is no whole number, or not from
  // `smallest` to `largest`. Left out or empty: `otherwise`.
  Result<std::int64_t> Integer(std::string_view name, std::int64_t otherwise, std::int64_t smallest,
                               std::int64_t largest) const;
  // Any finite number. Left out or empty: nothing.
  Result<std::optional<double>> Number(std::string_view name) const;
};

// "%2F" -> "/"; nothing for a percent sign without two hexadecimal digits.
std::optional<std::string> DecodePercent(std::string_view text);

// The origin form only ("/path?name=value"; RFC 9112, 3.2.1). kInvalidArgument for any other form,
// for a percent sign without two hexadecimal digits, for what is not UTF-8 or holds control
// characters, for a path with an empty, "." or ".." segment (encoded or not) or a backslash, and
// for more than 1000 parameters.
Result<Target> ParseTarget(std::string_view text);

}  // namespace sightline::dashboard
