// SeriesTable: finds the series of a file by its key. It holds positions only, since a file may
// have a million series. Private to this folder. One thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/recorder/message/kinds.h"

namespace sightline {

class SeriesTable {
 public:
  // The position in `series` of the one with this key. If there is none, series.size(), where the
  // caller then has to add it. `series`: all that were added, with members kind, plugin and tag.
  template <typename AllSeries>
  std::size_t FindOrAdd(const AllSeries& series, ContentKind kind, std::string_view plugin,
                        std::string_view tag) {
    if (2 * (series.size() + 1) > slots_.size()) Grow(series);
    std::uint32_t& slot = slots_[SlotOf(series, kind, plugin, tag)];
    if (slot == 0) slot = static_cast<std::uint32_t>(series.size() + 1);
    return slot - 1;
  }

  // The same; nothing if there is none.
  template <typename AllSeries>
  std::optional<std::size_t> Find(const AllSeries& series, ContentKind kind,
                                  std::string_view plugin, std::string_view tag) const {
    const std::uint32_t slot = slots_.empty() ? 0 : slots_[SlotOf(series, kind, plugin, tag)];
    if (slot == 0) return std::nullopt;
    return slot - 1;
  }

 private:
  static constexpr std::size_t kLeast = 16;

  // The slot of this key, or the free one for it.
  template <typename AllSeries>
  std::size_t SlotOf(const AllSeries& series, ContentKind kind, std::string_view plugin,
                     std::string_view tag) const {
    const std::hash<std::string_view> hash;
    std::size_t at = hash(tag) + static_cast<std::size_t>(kind);
    if (!plugin.empty()) at += std::rotl(hash(plugin), 1);
    for (;; ++at) {
      const std::size_t slot = at & (slots_.size() - 1);
      if (slots_[slot] == 0) return slot;
      const auto& known = series[slots_[slot] - 1];
      if (known.tag == tag && known.kind == kind && known.plugin == plugin) return slot;
    }
  }

  template <typename AllSeries>
  void Grow(const AllSeries& series) {
    slots_.assign(slots_.empty() ? kLeast : 2 * slots_.size(), 0);
    for (std::size_t i = 0; i < series.size(); ++i) {
      slots_[SlotOf(series, series[i].kind, series[i].plugin, series[i].tag)] =
          static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::uint32_t> slots_;  // Positions plus one; 0: free. At most half are taken.
};

}  // namespace sightline
