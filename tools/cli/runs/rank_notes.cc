#include "sightline/tools/cli/runs/rank_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sightline/base/text/rank_text.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr std::size_t kShownTags = 2;

bool HasNonFinite(const Series& series) {
  if (!series.is_scalar()) return false;
  return series.ExtremesOf(0, series.size()).nonfinite() != 0;
}

}  // namespace

std::string WhichRanks(std::span<const std::int32_t> ranks, std::size_t of) {
  return ranks.size() == 1 ? RankText(ranks)
                           : fmt::format("{} of {}", ranks.size(), Count(of, "rank"));
}

std::string NoteOnRanks(const RankValues& values, std::string (*number)(double)) {
  const std::size_t having = values.values.size();
  if (having == 0 || (!values.differ() && having == values.ranks)) return "";
  if (!values.differ()) {
    std::vector<std::int32_t> ranks;
    for (const auto& [rank, value] : values.values) ranks.push_back(rank);
    return "in " + WhichRanks(ranks, values.ranks);
  }
  const std::string range = values.min == values.max
                                ? number(values.min)
                                : fmt::format("{} to {}", number(values.min), number(values.max));
  const std::string over =
      having == values.ranks ? Count(values.finite, "rank")
                             : fmt::format("{} of {}", values.finite, Count(values.ranks, "rank"));
  std::string note = fmt::format("{} over {}", range, over);
  if (values.min != values.max) note += fmt::format(", mean {:.6g}", values.mean);
  if (!values.nonfinite.empty()) {
    const bool infinite = std::any_of(values.values.begin(), values.values.end(),
                                      [](const auto& each) { return std::isinf(each.second); });
    return note + fmt::format(", {} in {}", infinite ? "NaN or infinite" : "NaN",
                              WhichRanks(values.nonfinite, values.ranks));
  }
  if (values.worst) note += fmt::format(", worst {}", *values.worst);
  return note;
}

std::string TagsWithNonFinite(const Run& run) {
  std::vector<std::string> tags;
  const auto all = run.series();
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const SeriesKey& key = all[begin]->key();
    std::vector<std::int32_t> ranks;
    // The ranks of a tag are together.
    for (; end < all.size() && all[end]->key().kind == key.kind && all[end]->key().tag == key.tag;
         ++end) {
      if (HasNonFinite(*all[end])) ranks.push_back(all[end]->key().rank);
    }
    if (ranks.empty()) continue;
    tags.push_back(Printable(key.tag));
    if (end - begin > 1) tags.back() += " in " + WhichRanks(ranks, end - begin);
  }
  return Listed(tags, kShownTags);
}

std::string TagsWithNonFinite(const RankSeries& rank) {
  std::vector<std::string> tags;
  for (const Series* series : rank.series) {
    if (HasNonFinite(*series)) tags.push_back(Printable(series->key().tag));
  }
  return Listed(tags, kShownTags);
}

}  // namespace sightline
