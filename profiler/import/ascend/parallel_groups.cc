#include "sightline/profiler/import/ascend/parallel_groups.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"

namespace sightline::profiler {
namespace {

using nlohmann::json;

// torch_npu's hash of a communicator's name: two hashes of 32 bits each.
std::string GroupHash(std::string_view name) {
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  for (const char c : name) {
    high = high * 29 + static_cast<unsigned char>(c);
    low = low * 131 + static_cast<unsigned char>(c);
  }
  return std::to_string(std::uint64_t{high} << 32U | low);
}

std::optional<ParallelGroup> GroupIn(const json& info) {
  if (!info.is_object()) return std::nullopt;
  const auto name = info.find("group_name");
  const auto rank = info.find("group_rank");
  const auto ranks = info.find("global_ranks");
  const bool sound = name != info.end() && name->is_string() && rank != info.end() &&
                     rank->is_number_integer() && ranks != info.end() && ranks->is_array();
  if (!sound) return std::nullopt;
  ParallelGroup group;
  group.name = name->get<std::string>();
  group.group_rank = rank->get<std::int64_t>();
  for (const json& one : *ranks) {
    if (!one.is_number_integer()) return std::nullopt;
    group.global_ranks.push_back(one.get<std::int64_t>());
  }
  return group;
}

}  // namespace

ParallelGroups::ParallelGroups(std::string_view metadata) {
  const json parsed = ParseForeignJson<json>(metadata);
  if (!parsed.is_object()) return;
  const auto groups = parsed.find("parallel_group_info");
  if (groups == parsed.end() || !groups->is_object()) return;
  for (const auto& [name, info] : groups->items()) {
    const auto group = GroupIn(info);
    if (!group) continue;
    names_.emplace_back(GroupHash(name), name);
    groups_.emplace(names_.back().first, *group);
    groups_.emplace(name, *group);
  }
}

void ParallelGroups::Add(const std::string& hash, ParallelGroup group) {
  if (!groups_.contains(hash)) names_.emplace_back(hash, std::string());
  groups_.insert_or_assign(hash, std::move(group));
}

std::vector<RankGroup> ParallelGroups::All() const {
  std::vector<RankGroup> all;
  all.reserve(names_.size());
  for (const auto& [hash, name] : names_) {
    const ParallelGroup& group = groups_.find(hash)->second;
    all.push_back(
        {.id = hash, .communicator = name, .name = group.name, .ranks = group.global_ranks});
  }
  return all;
}

const ParallelGroup* ParallelGroups::Find(std::string_view named) const {
  const auto found = groups_.find(named);
  return found != groups_.end() ? &found->second : nullptr;
}

std::optional<std::int64_t> ParallelGroups::Stage() const {
  for (const auto& [name, group] : groups_) {
    if (group.name == "pp" && group.global_ranks.size() > 1 && group.group_rank >= 0)
      return group.group_rank;
  }
  return std::nullopt;
}

std::string ParallelGroups::GlobalLink(std::string_view link, const ParallelGroup* group) {
  const auto ends = EndsOfLink(link);
  if (group == nullptr || !ends) return std::string(link);
  const std::vector<std::int64_t>& ranks = group->global_ranks;
  const auto in_group = [&](std::int64_t end) {
    return end >= 0 && end < static_cast<std::int64_t>(ranks.size());
  };
  if (!in_group(ends->first) || !in_group(ends->second)) return std::string(link);
  const auto rank = [&](std::int64_t end) {
    return std::to_string(ranks[static_cast<std::size_t>(end)]);
  };
  return rank(ends->first) + "-" + rank(ends->second);
}

}  // namespace sightline::profiler
