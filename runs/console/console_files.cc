#include "sightline/runs/console/console_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr std::string_view kOfRank = "console-rank";
constexpr std::string_view kSuffix = ".log";

}  // namespace

std::string ConsoleName(std::optional<std::int64_t> rank) {
  return rank ? fmt::format("{}{}{}", kOfRank, *rank, kSuffix) : "console.log";
}

std::string ConsoleTimesName(std::string_view console) { return fmt::format(".{}.times", console); }

std::vector<std::optional<std::int64_t>> ConsoleRanks(const std::vector<std::string>& entries) {
  std::vector<std::optional<std::int64_t>> ranks;
  for (const std::string_view entry : entries) {
    if (entry == ConsoleName(std::nullopt)) ranks.emplace_back(std::nullopt);
    if (!entry.starts_with(kOfRank) || !entry.ends_with(kSuffix)) continue;
    const std::string_view number =
        entry.substr(kOfRank.size(), entry.size() - kOfRank.size() - kSuffix.size());
    const auto rank = ParseNumber<std::int64_t>(number);
    if (rank && entry == ConsoleName(rank)) ranks.emplace_back(rank);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace sightline
