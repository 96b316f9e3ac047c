// OverheadBudget: keeps what recording costs a training within a share of its time, by recording
// heavy values (histograms, images, tensors) at fewer of their steps. Pure: the answers depend on
// the share, on what Charge was told, and on nothing else.
//
//   const OverheadBudget budget(0.01);
//   OverheadState state;
//   ... at a step that was recorded:
//   const StepCost cost{.trained_nanos = 5e6, .cost_nanos = 2e5, .heavy = true};
//   if (const auto change = budget.Charge(cost, state))
//     Say(change->every);  // Heavy values are recorded at one in so many of their steps now.
//
// The rate is a power of two. It is looked at when a few steps with heavy values were recorded:
// lowered at once where the cost is above the budget, raised where it would stay well below it, the
// more slowly the more often that was too much. Immutable, so any thread may ask.
#pragma once

#include <cstdint>
#include <optional>

namespace sightline {

// What one recorded step cost.
struct StepCost {
  double trained_nanos = 0;  // Since the step recorded before, without what recording it cost.
  double cost_nanos = 0;
  bool heavy = false;  // Whether heavy values were recorded.
  // What recording took between the steps. No rate changes it; it takes from what the others have.
  double between_nanos = 0;
};

struct RateChange {
  std::int64_t every = 1;  // Heavy values are recorded at one in so many of their steps.
  bool lowered = true;
  double overhead = 0;  // What recording took of the training's time, as a share.
};

struct OverheadState {
  std::int64_t every = 1;  // As in RateChange.

  // Since the rate was last looked at: steps without and with heavy values, and their cost.
  double trained_nanos = 0;
  double light_nanos = 0;
  double heavy_nanos = 0;
  double between_nanos = 0;
  std::int64_t light_steps = 0;
  std::int64_t heavy_steps = 0;

  std::int64_t calm = 0;      // How often in succession there was room for a higher rate,
  std::int64_t patience = 1;  // and how often that must be before it is raised.
  bool raised = false;        // Whether the last change raised it.
};

class OverheadBudget {
 public:
  static constexpr std::int64_t kLeastRate = 1024;  // One in so many steps is recorded at least.

  // `share`: of the training's time. REQUIRES: more than 0, less than 1.
  explicit OverheadBudget(double share) : share_(share) {}

  // A step was recorded; the new rate where it changes.
  std::optional<RateChange> Charge(const StepCost& cost, OverheadState& state) const;

 private:
  double share_;
};

}  // namespace sightline
