#include "sightline/profiler/import/ascend/kernel_list.h"

#include <algorithm>
#include <utility>

namespace sightline::profiler {
namespace {

constexpr std::size_t kMostWithShapes = 10'000;
constexpr std::size_t kMost = 20'000;
constexpr std::size_t kMostUnits = 64;

}  // namespace

std::size_t KernelList::Add(NameId type, NameId shapes, NameId core, std::int64_t blocks,
                            std::int64_t duration) {
  auto at = places_.find({type, shapes, core, blocks});
  if (at == places_.end()) {
    if (kernels_.size() >= kMostWithShapes) shapes = kNoName;
    const auto [place, is_new] = places_.try_emplace({type, shapes, core, blocks}, kernels_.size());
    if (is_new && kernels_.size() >= kMost) {
      places_.erase(place);
      return kLeftOut;
    }
    if (is_new)
      kernels_.push_back({.type = type, .shapes = shapes, .core = core, .blocks = blocks});
    at = place;
  }
  KernelUse& kernel = kernels_[at->second];
  ++kernel.count;
  kernel.total = AddTimes(kernel.total, duration);
  return at->second;
}

std::size_t KernelList::UnitOfColumn(std::string_view column) {
  constexpr std::string_view kEnding = "_ratio";
  if (!column.ends_with(kEnding)) return kLeftOut;
  column.remove_suffix(kEnding.size());
  const auto known = std::find(units_.begin(), units_.end(), column);
  const auto number = static_cast<std::size_t>(known - units_.begin());
  if (known != units_.end()) return number;
  if (units_.size() == kMostUnits) return kLeftOut;
  units_.emplace_back(column);
  return number;
}

void KernelList::AddBusy(std::size_t kind, std::size_t unit, double ratio, std::int64_t duration) {
  if (kind == kLeftOut || unit == kLeftOut || !(ratio >= 0 && ratio <= 1)) return;
  if (busy_.size() <= kind) busy_.resize(kernels_.size());
  std::vector<Busy>& busy = busy_[kind];
  if (busy.size() <= unit) busy.resize(units_.size());
  busy[unit].time += ratio * static_cast<double>(duration);
  busy[unit].of += static_cast<double>(duration);
}

void KernelList::TakeInto(Profile& profile) {
  for (std::size_t kind = 0; kind < busy_.size(); ++kind) {
    if (busy_[kind].empty()) continue;
    std::vector<double>& shares = kernels_[kind].busy;
    shares.resize(units_.size());
    for (std::size_t unit = 0; unit < busy_[kind].size(); ++unit) {
      const Busy& busy = busy_[kind][unit];
      if (busy.of > 0) shares[unit] = busy.time / busy.of;
    }
  }
  profile.kernels = std::move(kernels_);
  profile.kernel_units = std::move(units_);
}

}  // namespace sightline::profiler
