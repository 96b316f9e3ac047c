#include "sightline/collectors/yaml_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sightline/recorder/parse_number.h"
#include "sightline/recorder/utf8.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

bool IsPlain(const YAML::Node& node) { return node.Tag() == "?"; }

// YAML 1.1's words, which PyYAML reads in these three spellings each.
std::optional<bool> TruthOf(std::string_view word) {
  constexpr std::string_view kTrue[] = {"true", "True", "TRUE", "yes", "Yes",
                                        "YES",  "on",   "On",   "ON"};
  constexpr std::string_view kFalse[] = {"false", "False", "FALSE", "no", "No",
                                         "NO",    "off",   "Off",   "OFF"};
  if (std::find(std::begin(kTrue), std::end(kTrue), word) != std::end(kTrue)) return true;
  if (std::find(std::begin(kFalse), std::end(kFalse), word) != std::end(kFalse)) return false;
  return std::nullopt;
}

// An octal number for PyYAML, or a text: nothing that anybody means by it.
bool BeginsWithZero(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  return word.size() > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9';
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
  if (const auto number = NumberOf<double>(word)) return {*number, std::move(text)};
  return {word, std::move(text)};
}

class Converter {
 public:
  // Nothing when it is too deep or too large.
  std::optional<OptionValue> Convert(const YAML::Node& node, int depth = 0) {
    if (depth > kMaxDepth || !Take(1)) return std::nullopt;
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return OptionValue{OptionValue::None(), "nothing"};
      case YAML::NodeType::Scalar:
        return Take(node.Scalar().size()) ? std::optional(Scalar(node)) : std::nullopt;
      case YAML::NodeType::Sequence:
        return List(node, depth);
      case YAML::NodeType::Map:
        return Map(node, depth);
    }
    return std::nullopt;
  }

 private:
  std::optional<OptionValue> List(const YAML::Node& node, int depth) {
    OptionList list;
    for (const auto& each : node) {
      auto value = Convert(each, depth + 1);
      if (!value) return std::nullopt;
      list.push_back(*std::move(value));
    }
    return OptionValue{std::move(list), "a list"};
  }

  std::optional<OptionValue> Map(const YAML::Node& node, int depth) {
    OptionMap map;
    for (const auto& pair : node) {
      if (!pair.first.IsScalar())
        return OptionValue{OptionValue::Other(), "a map with a key that is no word"};
      const std::string& key = pair.first.Scalar();
      if (!Take(key.size())) return std::nullopt;
      auto value = Convert(pair.second, depth + 1);
      if (!value) return std::nullopt;
      map.emplace_back(key, *std::move(value));
    }
    return OptionValue{std::move(map), "a map"};
  }

  bool Take(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= kMaxBytes;
  }

  std::size_t bytes_ = 0;
};

}  // namespace

Result<OptionValue> ValueOfYaml(const YAML::Node& node) {
  auto value = Converter().Convert(node);
  if (!value) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("a value nests deeper than {}, or has more than {} bytes with its aliases",
                    kMaxDepth, kMaxBytes));
  }
  return *std::move(value);
}

}  // namespace sightline
