#include "sightline/runs/model/run_restarts.h"

#include <algorithm>

namespace sightline {

void RunRestarts::NoteStart(const Place& place, std::int64_t step) {
  starts_.push_back({place, step, step, std::nullopt});
}

void RunRestarts::FinishNoting() {
  noted_ = true;
  for (std::size_t i = starts_.size(); i-- > 0;) {
    Start& start = starts_[i];
    if (!start.place.ours) start.smallest_foreign = start.step;
    if (i + 1 == starts_.size()) continue;
    const Start& following = starts_[i + 1];
    start.smallest = std::min(start.smallest, following.smallest);
    if (following.smallest_foreign) {
      start.smallest_foreign =
          std::min(start.smallest_foreign.value_or(*following.smallest_foreign),
                   *following.smallest_foreign);
    }
  }
}

std::optional<std::int64_t> RunRestarts::SupersededFrom(const Place& place) const {
  if (!noted_) return std::nullopt;
  Place after = place;
  after.segment = std::max<std::uint64_t>(after.segment, 1);  // The first START of its own file.
  const auto following =
      std::upper_bound(starts_.begin(), starts_.end(), after,
                       [](const Place& value, const Start& start) { return value < start.place; });
  if (following == starts_.end()) return std::nullopt;
  return place.ours ? following->smallest_foreign : following->smallest;
}

}  // namespace sightline
