#include "sightline/collectors/hyper_config.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sightline {
namespace {

constexpr char kVariable[] = "MINDINSIGHT_HYPER_CONFIG";
constexpr std::size_t kMaxBytes = 100'000;
constexpr int kMaxDepth = 8;

tl::unexpected<Status> Bad(std::string_view what) {
  return Error(StatusCode::kInvalidArgument, fmt::format("{} {}", kVariable, what));
}

// Nothing for texts that are no JSON, or nested deeper than any that is meant: the parser's memory
// grows with depth.
nlohmann::json Parse(std::string_view text) {
  return nlohmann::json::parse(
      text,
      [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth <= kMaxDepth; },
      false);
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
  const auto data = config.find("custom_lineage_data");
  if (data == config.end() || data->is_null()) return pairs;
  if (!data->is_object()) return Bad("has a custom_lineage_data that is no object");
  for (const auto& [key, value] : data->items()) {
    if (value.is_number_integer()) {
      pairs[key] = value.get<std::int64_t>();
    } else if (value.is_number_float()) {
      pairs[key] = value.get<double>();
    } else if (value.is_string()) {
      pairs[key] = value.get<std::string>();
    } else {
      return Bad(
          fmt::format("has custom_lineage_data.{}, which is neither a text nor a number", key));
    }
  }
  return pairs;
}

}  // namespace sightline
