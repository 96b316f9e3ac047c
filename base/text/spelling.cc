#include "sightline/base/text/spelling.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "sightline/base/ascii.h"

namespace sightline {
namespace {

constexpr std::size_t kMostTyped = 2;

// The number of letters that must be inserted, removed or replaced to change one text to the other.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view NearestName(std::string_view text, std::span<const std::string> known) {
  std::string_view nearest;
  std::size_t distance = std::min(kMostTyped, text.size() / 3) + 1;
  for (const std::string_view each : known) {
    // Either may be as long as a file.
    if (text.size() > each.size() + kMostTyped || each.size() > text.size() + kMostTyped) continue;
    if (LowerCase(each) == LowerCase(text)) return each;
    const std::size_t here = Distance(text, each);
    if (here < distance) {
      distance = here;
      nearest = each;
    }
  }
  return nearest;
}

}  // namespace sightline
