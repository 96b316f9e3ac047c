#include "sightline/collectors/config/hyper_config.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/utf8.h"
#include "sightline/collectors/config/summary_parameters.h"

namespace sightline {
namespace {

constexpr char kVariable[] = "MINDINSIGHT_HYPER_CONFIG";
constexpr std::size_t kMaxBytes = 100'000;
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxQuotedBytes = 100;

Error Bad(std::string_view what) {
  return Error(StatusCode::kInvalidArgument, fmt::format("{} {}", kVariable, what));
}

// Nothing if the text is no JSON, or is nested deeper than is sensible: the parser's memory grows
// with depth.
nlohmann::json Parse(std::string_view text) {
  return nlohmann::json::parse(
      text,
      [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth <= kMaxDepth; },
      false);
}

OptionValue ValueOf(const nlohmann::json& json) {
  using Type = nlohmann::json::value_t;
  std::string text = ToUtf8(json.dump(), kMaxQuotedBytes);
  switch (json.type()) {
    case Type::null:
      return {OptionValue::None(), std::move(text)};
    case Type::boolean:
      return {json.get<bool>(), std::move(text)};
    case Type::number_unsigned:
      if (!std::in_range<std::int64_t>(json.get<std::uint64_t>()))
        return {OptionValue::Large{json.get<double>()}, std::move(text)};
      [[fallthrough]];
    case Type::number_integer:
      return {json.get<std::int64_t>(), std::move(text)};
    case Type::number_float:
      return {json.get<double>(), std::move(text)};
    case Type::string:
      return {json.get<std::string>(), std::move(text)};
    case Type::array: {
      OptionList list;
      for (const auto& each : json) list.push_back(ValueOf(each));
      return {std::move(list), std::move(text)};
    }
    case Type::object: {
      OptionMap map;
      for (const auto& [key, each] : json.items()) map.emplace_back(key, ValueOf(each));
      return {std::move(map), std::move(text)};
    }
    case Type::binary:
    case Type::discarded:
      break;
  }
  return {OptionValue::Other(), std::move(text)};
}

}  // namespace

Result<CustomLineage> CustomLineageOfEnvironment() {
  CustomLineage pairs;
  const char* const variable = std::getenv(kVariable);
  if (variable == nullptr || *variable == '\0') return pairs;
  const std::string_view text = variable;
  if (text.size() > kMaxBytes)
    return Bad(fmt::format("has {} bytes, but at most {} are read", text.size(), kMaxBytes));
  const nlohmann::json config = Parse(text);
  if (!config.is_object()) return Bad("is no JSON object");
  const OptionValue value = ValueOf(config);
  Faults faults;
  OptionReader reader(*value.As<OptionMap>(), kVariable, faults);
  ReadCustomLineage(reader, pairs);
  SIGHTLINE_RETURN_IF_ERROR(faults.ToStatus().WithContext(kVariable));
  return pairs;
}

}  // namespace sightline
