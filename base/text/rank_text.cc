#include "sightline/base/text/rank_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <vector>

namespace sightline {

std::string RankText(std::span<const std::int32_t> ranks) {
  constexpr std::size_t kShown = 6;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  std::vector<std::string> ranges;
  std::size_t begin = 0;
  while (begin < ranks.size() && ranges.size() < kShown) {
    std::size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (end - begin < 3) end = begin + 1;  // "4, 5" is shorter than "4 to 5".
    ranges.push_back(end - begin == 1 ? fmt::to_string(ranks[begin])
                                      : fmt::format("{} to {}", ranks[begin], ranks[end - 1]));
    begin = end;
  }
  std::string text = fmt::format("ranks {}", fmt::join(ranges, ", "));
  if (begin < ranks.size()) text += fmt::format(" and {} more", ranks.size() - begin);
  return text;
}

}  // namespace sightline
