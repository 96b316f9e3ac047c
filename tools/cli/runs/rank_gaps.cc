#include "sightline/tools/cli/runs/rank_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "sightline/base/text/rank_text.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr std::size_t kShownTags = 2;

using ByRankNumber = std::map<std::int32_t, std::int64_t>;

// The number that more than half of the ranks have.
std::optional<std::int64_t> MostHave(const ByRankNumber& numbers) {
  std::map<std::int64_t, std::size_t> counts;
  for (const auto& [rank, number] : numbers) ++counts[number];
  for (const auto& [number, count] : counts) {
    if (count * 2 > numbers.size()) return number;
  }
  return std::nullopt;
}

// "700", or "700 to 900".
std::string Range(std::int64_t least, std::int64_t most) {
  return least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most);
}

// The ranks whose number is another one, by that number; all in one if these are many.
struct Others {
  std::vector<std::int32_t> ranks;
  std::int64_t least = 0;
  std::int64_t most = 0;

  auto operator<=>(const Others&) const = default;  // NOLINT(modernize-use-nullptr): LLVM 46235.
};
std::vector<Others> OthersThan(std::int64_t usual, const ByRankNumber& numbers) {
  constexpr std::size_t kMostGroups = 3;
  std::map<std::int64_t, Others> groups;
  Others all;
  for (const auto& [rank, number] : numbers) {
    if (number == usual) continue;
    Others& group = groups[number];
    group.ranks.push_back(rank);
    group.least = group.most = number;
    all.least = all.ranks.empty() ? number : std::min(all.least, number);
    all.most = all.ranks.empty() ? number : std::max(all.most, number);
    all.ranks.push_back(rank);
  }
  if (groups.size() > kMostGroups) return {std::move(all)};
  std::vector<Others> others;
  others.reserve(groups.size());
  for (auto& [number, group] : groups) others.push_back(std::move(group));
  return others;
}

using TagOfRanks = std::span<const std::shared_ptr<const Series>>;

// The tags that several ranks have.
std::vector<TagOfRanks> SharedTags(const Run& run) {
  std::vector<TagOfRanks> tags;
  const auto all = run.series();
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const auto same = [&](const SeriesKey& a, const SeriesKey& b) {
      return std::tie(a.kind, a.plugin, a.tag) == std::tie(b.kind, b.plugin, b.tag);
    };
    while (end < all.size() && same(all[begin]->key(), all[end]->key())) ++end;
    if (end - begin > 1) tags.push_back(all.subspan(begin, end - begin));
  }
  return tags;
}

// The last step of each rank in any of the tags.
ByRankNumber EndsIn(const std::vector<TagOfRanks>& tags) {
  ByRankNumber ends;
  for (const TagOfRanks& tag : tags) {
    for (const auto& series : tag) {
      const auto [end, added] = ends.try_emplace(series->key().rank, series->last_step());
      end->second = std::max(end->second, series->last_step());
    }
  }
  return ends;
}

std::string Verb(const Others& others, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", RankText(others.ranks), others.ranks.size() == 1 ? one : several);
}

// Of the ranks that end where most do, those with another number of values.
std::vector<std::string> CountGaps(const std::vector<TagOfRanks>& tags, const ByRankNumber& ends,
                                   std::int64_t end) {
  constexpr std::size_t kShown = 8;
  // Tags of which the same is to be said.
  std::map<std::pair<Others, std::int64_t>, std::vector<std::string>> gaps;
  for (const TagOfRanks& tag : tags) {
    ByRankNumber counts;
    for (const auto& [rank, of_rank] : ends)
      if (of_rank == end) counts[rank] = 0;
    for (const auto& series : tag) {
      const auto found = counts.find(series->key().rank);
      if (found != counts.end()) found->second = static_cast<std::int64_t>(series->size());
    }
    const auto usual = MostHave(counts);
    if (!usual || *usual == 0) continue;  // What few ranks record is not missing in the others.
    for (Others& others : OthersThan(*usual, counts))
      gaps[{std::move(others), *usual}].push_back(Printable(tag.front()->key().tag));
  }
  std::vector<std::string> lines;
  for (const auto& [gap, names] : gaps) {
    const auto& [others, usual] = gap;
    lines.push_back(fmt::format("{} {} values, the others {}: {}", Verb(others, "has", "have"),
                                Range(others.least, others.most), usual,
                                Listed(names, kShownTags, "tag")));
    if (lines.size() == kShown && gaps.size() > kShown) {
      lines.push_back(fmt::format("and {} like these", Count(gaps.size() - kShown, "more line")));
      break;
    }
  }
  return lines;
}

}  // namespace

std::vector<std::string> GapsOfRanks(const Run& run) {
  const std::vector<TagOfRanks> tags = SharedTags(run);
  const ByRankNumber ends = EndsIn(tags);
  if (ends.size() < 2) return {};
  const auto end = MostHave(ends);
  if (!end) {
    const auto is_less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [first, last] = std::minmax_element(ends.begin(), ends.end(), is_less);
    return {fmt::format("the ranks end at steps {} (rank {}) to {} (rank {})", first->second,
                        first->first, last->second, last->first)};
  }
  std::vector<std::string> lines;
  for (const Others& others : OthersThan(*end, ends)) {
    lines.push_back(fmt::format("{} at step {}, the others at step {}", Verb(others, "ends", "end"),
                                Range(others.least, others.most), *end));
  }
  const auto counts = CountGaps(tags, ends, *end);
  lines.insert(lines.end(), counts.begin(), counts.end());
  return lines;
}

}  // namespace sightline
