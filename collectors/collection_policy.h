// CollectionPolicy: which steps of a training run are recorded. Pure: the answer depends on the
// rules, the step, the clock reading and the state that the caller passes, on nothing else.
//
//   CollectionPolicy policy({.collect_freq = 10, .total_steps = 600});
//   policy.Collects(30);          // true: loss, histograms, images
//   policy.CollectsTensors(31);   // true: 20 of the 600 steps
//   policy.NextAfter(30);         // 31
//
// The rules are MindSpore's SummaryCollector's (docs/summary_monitor.md), except that a step is
// recorded once where MindSpore records the last one of an epoch twice. Immutable, so any thread
// may ask.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace sightline {

struct CollectionRules {
  std::int64_t collect_freq = 10;  // At least 1.
  std::optional<std::int64_t> collect_tensor_freq =
      std::nullopt;              // At least 1; none: about 20 steps a run.
  std::int64_t total_steps = 0;  // 0: unknown.
  std::int64_t ranks = 1;        // Share the steps of tensors evenly (parallel training).
};

// Step 1, and the multiples of `period` up to `last`; where `doubling`, only its multiples by 0, 1,
// 2, 4, 8, ...
struct StepSeries {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  std::int64_t period = 1;
  std::int64_t last = kNever;
  bool doubling = false;

  bool Contains(std::int64_t step) const;
  // How many of the steps 1 to `total` are members.
  std::int64_t CountTo(std::int64_t total) const;
  // The smallest member larger than `step`, or kNever.
  std::int64_t NextAfter(std::int64_t step) const;
};

// What a policy knows of the steps before; begins empty.
struct CollectionState {
  std::optional<std::int64_t> last_step = std::nullopt;   // The last one recorded.
  std::optional<std::int64_t> last_nanos = std::nullopt;  // The clock when it ended, if known.
  std::int64_t paused_nanos = 0;  // Since then, for what is no training (evaluation).
};

struct CollectionDecision {
  bool collect = false;          // Everything but tensors.
  bool collect_tensors = false;  // Tensors.
  // Mean seconds of a step since the last one recorded; none where `last_nanos` is none.
  std::optional<double> seconds_per_step = std::nullopt;

  bool nothing() const { return !collect && !collect_tensors; }
};

class CollectionPolicy {
 public:
  // REQUIRES: frequencies and ranks are at least 1.
  explicit CollectionPolicy(const CollectionRules& rules);

  bool Collects(std::int64_t step) const { return rest_.Contains(step); }
  bool CollectsTensors(std::int64_t step) const { return tensors_.Contains(step); }
  const StepSeries& rest() const { return rest_; }  // Of everything but tensors.
  const StepSeries& tensors() const { return tensors_; }

  // The smallest step larger than `step` of which something is recorded, or StepSeries::kNever.
  std::int64_t NextAfter(std::int64_t step) const;

  // What to record of `step`, which ended at the clock reading `now_nanos`; nothing when it is the
  // one recorded last. A smaller step than that is a restart and is recorded again. Advances
  // `state` when something is recorded.
  CollectionDecision Decide(std::int64_t step, std::int64_t now_nanos,
                            CollectionState& state) const;

 private:
  StepSeries rest_;
  StepSeries tensors_;
};

}  // namespace sightline
