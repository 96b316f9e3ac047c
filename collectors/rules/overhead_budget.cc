#include "sightline/collectors/rules/overhead_budget.h"

#include <algorithm>

namespace sightline {
namespace {

// The rate is reviewed after this many steps with heavy values.
constexpr std::int64_t kLook = 4;
// A rate is raised only if the values then take less than this share of the room, so that it does
// not swing.
constexpr double kSpare = 0.75;
// If the rest takes the whole budget, heavy values still get this share of it.
constexpr double kLeastRoom = 0.125;
// One review changes the rate by at most this factor, since a single slow write is not a reason to
// stop.
constexpr std::int64_t kLargestChange = 8;
// Raising a rate that proved too high becomes rarer and rarer, up to this limit, so that nobody is
// flooded with lines about it.
constexpr std::int64_t kLongestPatience = std::int64_t{1} << 20;

}  // namespace

std::optional<RateChange> OverheadBudget::Charge(const StepCost& cost, OverheadState& state) const {
  state.trained_nanos += cost.trained_nanos;
  state.between_nanos += cost.between_nanos;
  (cost.heavy ? state.heavy_nanos : state.light_nanos) += cost.cost_nanos;
  ++(cost.heavy ? state.heavy_steps : state.light_steps);
  if (state.heavy_steps < kLook || state.trained_nanos <= 0) return std::nullopt;

  // A step with heavy values costs as much as one without, plus the values.
  const double light_step =
      state.light_steps == 0 ? 0 : state.light_nanos / static_cast<double>(state.light_steps);
  const double all = state.light_nanos + state.heavy_nanos + state.between_nanos;
  const double values =
      std::max(state.heavy_nanos - light_step * static_cast<double>(state.heavy_steps), 0.0);
  const double share = values / state.trained_nanos;
  const double room = std::max(share_ - (all - values) / state.trained_nanos, share_ * kLeastRoom);
  RateChange change{.every = state.every, .overhead = all / state.trained_nanos};
  // The share that the values would take at the rate `every`.
  const auto at = [&](std::int64_t every) {
    return share * static_cast<double>(state.every) / static_cast<double>(every);
  };

  if (share > room) {
    while (change.every < std::min(kLeastRate, state.every * kLargestChange) &&
           at(change.every) > room)
      change.every *= 2;
  } else {
    while (change.every > 1 && change.every * kLargestChange > state.every &&
           at(change.every / 2) <= room * kSpare)
      change.every /= 2;
  }
  change.lowered = change.every > state.every;
  const bool has_room = change.every < state.every;
  state = {.every = state.every,
           .calm = has_room ? state.calm + 1 : 0,
           .patience = state.patience,
           .raised = state.raised};
  if (change.every == state.every || (has_room && state.calm < state.patience)) return std::nullopt;
  if (change.lowered && state.raised)
    state.patience = std::min(state.patience * 2, kLongestPatience);
  state.raised = has_room;
  state.calm = 0;
  state.every = change.every;
  return change;
}

}  // namespace sightline
