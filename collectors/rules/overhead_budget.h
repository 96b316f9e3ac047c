// OverheadBudget: limits the cost of recording to a share of the training's time. If the cost is
// too high, heavy values (histograms, images, tensors) are recorded at fewer of their steps. Pure:
// the results depend only on the share and on what Charge was told.
//
//   const OverheadBudget budget(0.01);
//   OverheadState state;
//   ... at a step that was recorded:
//   const StepCost cost{.trained_nanos = 5e6, .cost_nanos = 2e5, .heavy = true};
//   if (const auto change = budget.Charge(cost, state))
//     Log(change->every);  // Heavy values are now recorded at one in this many of their steps.
//
// The rate is one in a power of two. It is reviewed after every few recorded steps with heavy
// values. It is lowered at once if the cost is above the budget, and raised if the cost would stay
// well below it. Each time a higher rate turns out to be too high, the next rise takes longer.
// Immutable, so any thread may ask.
#pragma once

#include <cstdint>
#include <optional>

namespace sightline {

// What one recorded step cost.
struct StepCost {
  double trained_nanos = 0;  // Since the last recorded step, without its cost.
  double cost_nanos = 0;
  bool heavy = false;  // Whether heavy values were recorded.
  // What recording took between the steps. The rate does not change this; it leaves less for the
  // rest.
  double between_nanos = 0;
};

struct RateChange {
  std::int64_t every = 1;  // Heavy values are recorded at one in this many steps.
  bool lowered = true;
  double overhead = 0;  // Share of the training's time that recording took.
};

struct OverheadState {
  std::int64_t every = 1;  // As in RateChange.

  // Since the rate was last reviewed: steps without and with heavy values, and their costs.
  double trained_nanos = 0;
  double light_nanos = 0;
  double heavy_nanos = 0;
  double between_nanos = 0;
  std::int64_t light_steps = 0;
  std::int64_t heavy_steps = 0;

  std::int64_t calm = 0;      // Successive reviews that had room for a higher rate,
  std::int64_t patience = 1;  // and how many of them are needed to raise it.
  bool raised = false;        // Whether the last change raised it.
};

class OverheadBudget {
 public:
  static constexpr std::int64_t kLeastRate = 1024;  // The lowest rate: one in this many steps.

  // `share` is the allowed share of the training's time. REQUIRES: more than 0, less than 1.
  explicit OverheadBudget(double share) : share_(share) {}

  // Call this after a step was recorded. Returns the new rate if it changes.
  std::optional<RateChange> Charge(const StepCost& cost, OverheadState& state) const;

 private:
  double share_;
};

}  // namespace sightline
