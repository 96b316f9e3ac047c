#include "sightline/runs/run_changes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

namespace sightline {
namespace {

// The first position at which two columns differ, or the length of the shorter one. Compares bits,
// so that NaN equals itself.
template <typename T>
std::size_t CommonLength(std::span<const T> a, std::span<const T> b) {
  const auto same = [&](std::size_t from, std::size_t count) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits, as said above.
    return std::memcmp(&a[from], &b[from], count * sizeof(T)) == 0;
  };
  constexpr std::size_t kBlock = 4096;
  const std::size_t common = std::min(a.size(), b.size());
  if (a.data() == b.data()) return common;  // A column that grew.
  std::size_t at = 0;
  while (at < common) {
    const std::size_t count = std::min(kBlock, common - at);
    if (!same(at, count)) break;
    at += count;
  }
  while (at < common && same(at, 1)) ++at;
  return at;
}

std::optional<SeriesChange> Compare(const Series& before, const Series& after) {
  std::size_t common = std::min(CommonLength(before.steps(), after.steps()),
                                CommonLength(before.wall_times(), after.wall_times()));
  if (before.is_scalar()) common = std::min(common, CommonLength(before.values(), after.values()));
  if (common == before.size() && common == after.size()) return std::nullopt;
  SeriesChange change{after.key(), common, std::nullopt};
  if (common < before.size()) {
    change.void_from = before.steps()[common];
    if (common < after.size())
      change.void_from = std::min(*change.void_from, after.steps()[common]);
  }
  return change;
}

}  // namespace

std::vector<SeriesChange> SeriesChanges(const Run& before, const Run& after) {
  std::vector<SeriesChange> changes;
  // Both are ordered by key.
  auto old = before.series().begin();
  const auto gone = [&](const SeriesKey& key) {
    changes.push_back({key, 0, std::numeric_limits<std::int64_t>::min()});
  };
  for (const auto& series : after.series()) {
    for (; old != before.series().end() && (*old)->key() < series->key(); ++old)
      gone((*old)->key());
    if (old == before.series().end() || (*old)->key() != series->key()) {
      changes.push_back({series->key(), 0, std::nullopt});
      continue;
    }
    if (!(*old)->SharesAllWith(*series))
      if (auto change = Compare(**old, *series)) changes.push_back(*std::move(change));
    ++old;
  }
  for (; old != before.series().end(); ++old) gone((*old)->key());
  return changes;
}

}  // namespace sightline
