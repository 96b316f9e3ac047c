#include "sightline/runs/ranks/rank_stages.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr std::string_view kNames[] = {"pipeline_stage", "pipeline_stages",
                                       "pipeline_model_parallel_size", "pp"};

// "pipeline_stage" of "parallel_config.pipeline_stage".
std::string_view LastPart(std::string_view key) { return key.substr(key.rfind('.') + 1); }

bool NamesStages(std::string_view key) {
  const std::string_view last = LastPart(key);
  return std::find(std::begin(kNames), std::end(kNames), last) != std::end(kNames);
}

std::int32_t WorldSizeOf(const Run& run) {
  std::int32_t size = 1;
  for (const RunSession& one : run.sessions()) size = std::max(size, one.session.world_size);
  if (size > 1) return size;
  std::set<std::int32_t> ranks;
  for (const auto& series : run.series()) ranks.insert(series->key().rank);
  const auto count = static_cast<std::int32_t>(ranks.size());
  return !ranks.empty() && *ranks.begin() == 0 && *ranks.rbegin() == count - 1 ? count : 1;
}

// The value as a count; hyper-parameters of TensorBoard are doubles, those of a text are text.
std::optional<std::int64_t> CountIn(const LineageValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return ParseNumber<std::int64_t>(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  const double number = std::get<double>(value);
  if (number != std::floor(number) || std::abs(number) > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

std::int32_t PipelineStagesOf(const Run& run) {
  for (const auto& [key, value] : run.lineage()) {
    if (!NamesStages(key)) continue;
    const std::int64_t stages = CountIn(value).value_or(1);
    if (stages <= 1) continue;
    const std::int32_t world = WorldSizeOf(run);
    if (stages <= world && world % stages == 0) return static_cast<std::int32_t>(stages);
  }
  return 1;
}

std::vector<std::vector<const Series*>> ByStage(const Run& run,
                                                std::span<const Series* const> ranks) {
  const std::int32_t stages = PipelineStagesOf(run);
  if (stages == 1 && !ranks.empty())
    return {std::vector<const Series*>(ranks.begin(), ranks.end())};
  const std::int32_t of_stage = WorldSizeOf(run) / stages;
  std::vector<std::vector<const Series*>> parts(static_cast<std::size_t>(stages));
  for (const Series* rank : ranks) {
    const std::int32_t stage = std::clamp(rank->key().rank / of_stage, 0, stages - 1);
    parts[static_cast<std::size_t>(stage)].push_back(rank);
  }
  std::erase_if(parts, [](const auto& part) { return part.empty(); });
  return parts;
}

std::optional<std::int32_t> OnlyValidRank(const Run& run, std::string_view tag) {
  if (tag != "loss" && tag != "loss vs samples") return std::nullopt;
  // MindFormers' own name: no other program records one like it.
  if (!run.lineage().contains("parallel_config.pipeline_stage") || PipelineStagesOf(run) == 1)
    return std::nullopt;
  const bool first = std::any_of(run.lineage().begin(), run.lineage().end(), [](const auto& pair) {
    const auto* text = std::get_if<std::string>(&pair.second);
    return LastPart(pair.first) == "pipeline_scheduler" && text && *text == "zero_bubble_v";
  });
  return first ? 0 : WorldSizeOf(run) - 1;
}

}  // namespace sightline
