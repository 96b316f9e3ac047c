#include "sightline/ir/compare/longest_rise.h"

#include <algorithm>

#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

std::vector<bool> LongestRise(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> before(numbers.size(), kNoIndex);
  std::vector<std::uint32_t> ends;  // By length, where the best rise of that length ends.
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const auto at = std::lower_bound(
        ends.begin(), ends.end(), numbers[i],
        [&](std::uint32_t end, std::uint32_t number) { return numbers[end] < number; });
    if (at != ends.begin()) before[i] = at[-1];
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<bool> rises(numbers.size(), false);
  for (std::uint32_t i = ends.empty() ? kNoIndex : ends.back(); i != kNoIndex; i = before[i])
    rises[i] = true;
  return rises;
}

}  // namespace sightline::ir
