#include "sightline/collectors/config/yaml_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sightline/base/parse_number.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;

// YAML 1.1's words. PyYAML reads each in these three spellings.
std::optional<bool> TruthOf(std::string_view word) {
  constexpr std::string_view kTrue[] = {"true", "True", "TRUE", "yes", "Yes",
                                        "YES",  "on",   "On",   "ON"};
  constexpr std::string_view kFalse[] = {"false", "False", "FALSE", "no", "No",
                                         "NO",    "off",   "Off",   "OFF"};
  if (std::find(std::begin(kTrue), std::end(kTrue), word) != std::end(kTrue)) return true;
  if (std::find(std::begin(kFalse), std::end(kFalse), word) != std::end(kFalse)) return false;
  return std::nullopt;
}

std::string_view WithoutSign(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  return word;
}

bool IsDigits(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// PyYAML reads this as an octal number or a text; nobody means either.
bool BeginsWithZero(std::string_view word) {
  word = WithoutSign(word);
  return word.size() > 1 && word[0] == '0' && IsDigits(word.substr(1, 1));
}

template <typename Number>
std::optional<Number> NumberOf(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  return ParseNumber<Number>(word);
}

OptionValue Scalar(const YAML::Node& node) {
  const std::string& word = node.Scalar();
  std::string text = ToUtf8(word, kMaxQuotedBytes);
  if (!IsPlain(node)) return {word, fmt::format("'{}'", text)};
  if (word == "None") return {OptionValue::None(), std::move(text)};
  if (const auto truth = TruthOf(word)) return {*truth, std::move(text)};
  if (BeginsWithZero(word)) return {word, std::move(text)};
  if (const auto whole = NumberOf<std::int64_t>(word)) return {*whole, std::move(text)};
  const auto number = NumberOf<double>(word);
  if (IsDigits(WithoutSign(word))) return {OptionValue::Large{number}, std::move(text)};
  if (number) return {*number, std::move(text)};
  return {word, std::move(text)};
}

Result<OptionValue> ValueAt(const YAML::Node& node, YamlMaps& maps, int depth);

// "[a, b]", cut if it is long.
std::string TextOf(const OptionList& list) {
  std::string text = "[";
  for (const OptionValue& each : list) {
    if (text.size() > kMaxQuotedBytes) return ToUtf8(text, kMaxQuotedBytes) + "...]";
    text += (text.size() > 1 ? ", " : "") + each.text;
  }
  return text + "]";
}

Result<OptionValue> List(const YAML::Node& node, YamlMaps& maps, int depth) {
  OptionList list;
  for (const auto& each : node) {
    SIGHTLINE_ASSIGN_OR_RETURN(list.emplace_back(), ValueAt(each, maps, depth + 1));
  }
  std::string text = TextOf(list);
  return OptionValue{std::move(list), std::move(text)};
}

Result<OptionValue> Map(const YAML::Node& node, YamlMaps& maps, int depth) {
  SIGHTLINE_ASSIGN_OR_RETURN(const YamlMap pairs, maps.Read(node, depth));
  OptionMap map;
  for (const auto& [key, value] : pairs) {
    if (!key.IsScalar())
      return OptionValue{OptionValue::Other(), "a map with a key that is not a string"};
    map.emplace_back(key.Scalar(), OptionValue());
    SIGHTLINE_ASSIGN_OR_RETURN(map.back().second, ValueAt(value, maps, depth + 1));
  }
  return OptionValue{std::move(map), "a map"};
}

Result<OptionValue> ContentOf(const YAML::Node& node, YamlMaps& maps, int depth) {
  SIGHTLINE_RETURN_IF_ERROR(maps.Take(1, depth));
  switch (node.Type()) {
    case YAML::NodeType::Undefined:
    case YAML::NodeType::Null:
      return OptionValue{OptionValue::None(), "nothing"};
    case YAML::NodeType::Scalar:
      SIGHTLINE_RETURN_IF_ERROR(maps.Take(node.Scalar().size(), depth));
      return Scalar(node);
    case YAML::NodeType::Sequence:
      return List(node, maps, depth);
    case YAML::NodeType::Map:
      return Map(node, maps, depth);
  }
  return OptionValue();
}

Result<OptionValue> ValueAt(const YAML::Node& node, YamlMaps& maps, int depth) {
  Result<OptionValue> value = ContentOf(node, maps, depth);
  if (value) value->line = node.Mark().line + 1;  // A missing mark has line -1.
  return value;
}

}  // namespace

Result<OptionValue> ValueOfYaml(const YAML::Node& node, YamlMaps& maps) {
  return ValueAt(node, maps, 0);
}

}  // namespace sightline
