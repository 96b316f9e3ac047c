// CollectionPolicy: decides which steps of a training run are recorded. Pure: the result depends
// only on the rules, the step, the clock reading and the state that the caller passes.
//
//   CollectionPolicy policy({.collect_freq = 10, .total_steps = 600});
//   policy.Collects(30);          // true: loss, histograms, images
//   policy.CollectsTensors(31);   // true: 20 of the 600 steps
//   policy.NextAfter(30);         // 31
//
// The rules are those of MindSpore's SummaryCollector (docs/summary_monitor.md), with one
// exception: MindSpore records the last step of an epoch twice, this records it once. Immutable, so
// any thread may ask.
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sightline/collectors/rules/frequency.h"
#include "sightline/collectors/rules/overhead_budget.h"

namespace sightline {

struct CollectionRules {
  std::int64_t collect_freq = 10;  // At least 1.
  std::optional<std::int64_t> collect_tensor_freq =
      std::nullopt;              // At least 1; none: about 20 steps a run.
  std::int64_t total_steps = 0;  // 0: unknown.
  std::int64_t ranks = 1;        // Parallel processes; they share the steps of tensors evenly.
  // Replace the rules above for the values that they match (FrequencyTable).
  std::vector<Frequency> frequencies = {};
  // The share of the training's time that recording may take: more than 0, less than 1. If it takes
  // more, heavy values are recorded at fewer of these steps. None: no limit.
  std::optional<double> max_overhead = std::nullopt;
};

// The steps 1 to `first`, and the multiples of `period` up to `last`. If `doubling`, only its
// multiples by 0, 1, 2, 4, 8, ...
struct StepSeries {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  std::int64_t period = 1;
  std::int64_t last = kNever;
  bool doubling = false;
  std::int64_t first = 1;

  bool Contains(std::int64_t step) const;
  // How many of the steps 1 to `total` are members.
  std::int64_t CountTo(std::int64_t total) const;
  // The smallest member larger than `step`, or kNever.
  std::int64_t NextAfter(std::int64_t step) const;
  // The members from `from` to `total`. REQUIRES: `from` is at least 1, and the members fit into
  // memory.
  std::vector<std::int64_t> StepsTo(std::int64_t total, std::int64_t from = 1) const;
};

// The steps of a frequency, without those that its seconds add.
StepSeries StepsOf(const Frequency& frequency);

// The rules by which values are due: the rule for tensors (1), the rule for all other values (0),
// and the frequencies of CollectionRules (2, 3, ...).
using ValueSources = std::bitset<2 + kMaxFrequencies>;
inline constexpr std::size_t kRestSource = 0;
inline constexpr std::size_t kTensorSource = 1;
inline constexpr std::size_t kFrequencySources = 2;

// The rule for values of `kind` whose frequency is `frequency` (FrequencyTable::Find).
constexpr std::size_t SourceOf(ValueKind kind, int frequency) {
  if (frequency >= 0) return kFrequencySources + static_cast<std::size_t>(frequency);
  return kind == ValueKind::kTensor ? kTensorSource : kRestSource;
}

// What a policy knows of the previous steps; begins empty.
struct CollectionState {
  std::optional<std::int64_t> last_step = std::nullopt;   // The step recorded last.
  std::optional<std::int64_t> last_nanos = std::nullopt;  // The clock when it ended, if known.
  std::int64_t paused_nanos = 0;  // Since then, for other work than training (evaluation).

  // For frequencies in seconds: when each one last recorded, and when the clock was last read.
  std::vector<std::optional<std::int64_t>> frequency_nanos = {};
  std::optional<std::int64_t> looked_step = std::nullopt;
  std::int64_t looked_nanos = 0;
  double nanos_per_step = 0;  // Between the last two readings; 0: unknown.

  // For max_overhead: the rate and the cost of the step recorded last. For each source: whether it
  // delivered heavy values when it was last asked for them, and how many of its steps have gone
  // without them since.
  struct Source {
    bool heavy = true;
    std::int64_t left_out = 0;
  };
  OverheadState overhead = {};
  std::optional<double> trained_nanos = std::nullopt;  // Before that step; none if unknown.
  std::int64_t cost_nanos = 0;
  std::int64_t between_nanos = 0;  // Time that recording took since then, outside of steps.
  std::vector<Source> sources = {};
};

struct CollectionDecision {
  ValueSources due = {};
  ValueSources thinned = {};  // Sources whose heavy values are left out for max_overhead.
  // Mean seconds of a step since the last recorded one; none if `last_nanos` is none.
  std::optional<double> seconds_per_step = std::nullopt;

  bool nothing() const { return due.none(); }
  // Whether a value of `kind` whose frequency is `frequency` (FrequencyTable::Find) is recorded.
  bool Records(ValueKind kind, int frequency) const {
    const std::size_t source = SourceOf(kind, frequency);
    return due[source] && !(IsHeavy(kind) && thinned[source]);
  }
};

class CollectionPolicy {
 public:
  // REQUIRES: frequencies and ranks are at least 1, and CheckFrequencies() is OK.
  explicit CollectionPolicy(const CollectionRules& rules);

  // For values without a frequency of their own.
  bool Collects(std::int64_t step) const { return has_rest_ && rest_.Contains(step); }
  bool CollectsTensors(std::int64_t step) const { return has_tensors_ && tensors_.Contains(step); }

  // The steps of values of `kind`, except values with a tag that a frequency matches. Steps that a
  // frequency in seconds adds are not included.
  const StepSeries& SeriesOf(ValueKind kind) const;

  // The smallest step larger than `step` at which something may be recorded, or StepSeries::kNever.
  // With frequencies in seconds, also a step at which the clock must be read.
  std::int64_t NextAfter(std::int64_t step, const CollectionState& state = {}) const;

  // What to record of `step`, which ended at the clock reading `now_nanos`. Nothing if it is the
  // step recorded last. A smaller step means a restart, and is recorded again. Changes nothing.
  CollectionDecision Peek(std::int64_t step, std::int64_t now_nanos,
                          const CollectionState& state) const;

  // The same; advances `state`.
  CollectionDecision Decide(std::int64_t step, std::int64_t now_nanos,
                            CollectionState& state) const;

  // Whether Charge must be told what recording costs.
  bool has_budget() const { return budget_.has_value(); }
  // Call this after the step of the last decision was recorded. `heavy` are the sources that
  // delivered heavy values; `now_nanos` is the time now. Returns the new rate of heavy values if it
  // changes. REQUIRES: has_budget().
  std::optional<RateChange> Charge(const CollectionDecision& decision, const ValueSources& heavy,
                                   std::int64_t now_nanos, CollectionState& state) const;

 private:
  struct Own {
    Frequency rule;
    StepSeries series;  // Without its seconds.
    std::int64_t every_nanos = 0;
  };
  bool IsDue(std::size_t own, std::int64_t step, std::int64_t now_nanos,
             const CollectionState& state) const;
  ValueSources DueAt(std::int64_t step, std::int64_t now_nanos, const CollectionState& state) const;
  CollectionDecision DecisionOf(const ValueSources& due, std::int64_t step, std::int64_t now_nanos,
                                const CollectionState& state) const;
  // The part of `due` that the budget leaves out.
  ValueSources Thinned(const ValueSources& due, const CollectionState& state) const;
  std::int64_t NextLook(std::int64_t step, const CollectionState& state) const;

  StepSeries rest_;
  StepSeries tensors_;
  std::vector<Own> own_;
  std::optional<OverheadBudget> budget_;
  ValueSources only_heavy_;  // Sources that have only heavy values.
  // Whether there may be values to which these rules apply.
  bool has_rest_ = true;
  bool has_tensors_ = true;
  bool has_seconds_ = false;
};

}  // namespace sightline
