#include "sightline/collectors/yaml_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sightline/recorder/tag.h"

namespace sightline::yaml {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;

bool IsPlain(const YAML::Node& node) { return node.IsScalar() && node.Tag() == "?"; }

template <typename Number>
std::optional<Number> WholeText(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+')) return std::nullopt;
  Number number{};
  const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || behind != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

bool IsAbsent(const YAML::Node& node) {
  return !node.IsDefined() || node.IsNull() || (IsPlain(node) && node.Scalar() == "None");
}

std::optional<bool> AsBool(const YAML::Node& node) {
  if (!IsPlain(node)) return std::nullopt;
  // YAML 1.1's words, which PyYAML reads in these three spellings each.
  constexpr std::string_view kTrue[] = {"true", "True", "TRUE", "yes", "Yes",
                                        "YES",  "on",   "On",   "ON"};
  constexpr std::string_view kFalse[] = {"false", "False", "FALSE", "no", "No",
                                         "NO",    "off",   "Off",   "OFF"};
  const std::string& text = node.Scalar();
  if (std::find(std::begin(kTrue), std::end(kTrue), text) != std::end(kTrue)) return true;
  if (std::find(std::begin(kFalse), std::end(kFalse), text) != std::end(kFalse)) return false;
  return std::nullopt;
}

std::optional<std::int64_t> AsInteger(const YAML::Node& node) {
  return IsPlain(node) ? WholeText<std::int64_t>(node.Scalar()) : std::nullopt;
}

std::optional<double> AsNumber(const YAML::Node& node) {
  return IsPlain(node) ? WholeText<double>(node.Scalar()) : std::nullopt;
}

std::optional<std::string> AsString(const YAML::Node& node) {
  if (!node.IsScalar() || IsAbsent(node) || AsBool(node) || AsNumber(node)) return std::nullopt;
  return node.Scalar();
}

std::string Describe(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Undefined:
    case YAML::NodeType::Null:
      return "nothing";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a map";
    case YAML::NodeType::Scalar:
      break;
  }
  const std::string text = CleanTag(node.Scalar()).substr(0, kMaxQuotedBytes);
  return IsPlain(node) ? text : fmt::format("'{}'", text);
}

}  // namespace sightline::yaml
