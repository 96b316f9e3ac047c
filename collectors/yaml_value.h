// The values of a YAML document as PyYAML, with which MindFormers reads its configurations,
// understands them: a plain word may be a number or a truth value, a quoted one is a string. Of
// MindFormers' own: the plain word None is no value.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::yaml {

// Not there, null, ~, empty, or None.
bool IsAbsent(const YAML::Node& node);

std::optional<bool> AsBool(const YAML::Node& node);
std::optional<std::int64_t> AsInteger(const YAML::Node& node);
// Whole numbers too.
std::optional<double> AsNumber(const YAML::Node& node);
// A quoted scalar, or a plain one that is neither number nor truth value.
std::optional<std::string> AsString(const YAML::Node& node);

// The value for a message: a scalar in its quotes, cut after 100 bytes; otherwise what it is.
std::string Describe(const YAML::Node& node);

}  // namespace sightline::yaml
