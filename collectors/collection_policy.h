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
#include <vector>

#include "sightline/collectors/frequency.h"

namespace sightline {

struct CollectionRules {
  std::int64_t collect_freq = 10;  // At least 1.
  std::optional<std::int64_t> collect_tensor_freq =
      std::nullopt;              // At least 1; none: about 20 steps a run.
  std::int64_t total_steps = 0;  // 0: unknown.
  std::int64_t ranks = 1;        // Share the steps of tensors evenly (parallel training).
  // In place of the rules above for the values that they are for (FrequencyTable).
  std::vector<Frequency> frequencies = {};
};

// Steps 1 to `first`, and the multiples of `period` up to `last`; where `doubling`, only its
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
  // The members from 1 to `total`. REQUIRES: they fit into memory.
  std::vector<std::int64_t> StepsTo(std::int64_t total) const;
};

// The steps of a frequency, but for what its seconds add.
StepSeries StepsOf(const Frequency& frequency);

// What a policy knows of the steps before; begins empty.
struct CollectionState {
  std::optional<std::int64_t> last_step = std::nullopt;   // The last one recorded.
  std::optional<std::int64_t> last_nanos = std::nullopt;  // The clock when it ended, if known.
  std::int64_t paused_nanos = 0;  // Since then, for what is no training (evaluation).

  // For frequencies in seconds: when each last recorded, and the last look at the clock.
  std::vector<std::optional<std::int64_t>> frequency_nanos = {};
  std::optional<std::int64_t> looked_step = std::nullopt;
  std::int64_t looked_nanos = 0;
  double nanos_per_step = 0;  // Between the last two looks; 0: unknown.
};

struct CollectionDecision {
  // Of values without a frequency of their own:
  bool collect = false;          // Everything but tensors.
  bool collect_tensors = false;  // Tensors.
  // Of the others: bit i for CollectionRules::frequencies[i].
  std::uint64_t frequencies = 0;
  // Mean seconds of a step since the last one recorded; none where `last_nanos` is none.
  std::optional<double> seconds_per_step = std::nullopt;

  bool nothing() const { return !collect && !collect_tensors && frequencies == 0; }
  // Whether a value of `kind` whose frequency is `frequency` (FrequencyTable::Find) is recorded.
  bool Records(ValueKind kind, int frequency) const {
    if (frequency >= 0) return (frequencies >> frequency & 1) != 0;
    return kind == ValueKind::kTensor ? collect_tensors : collect;
  }
};

class CollectionPolicy {
 public:
  // REQUIRES: frequencies and ranks are at least 1, and CheckFrequencies() is OK.
  explicit CollectionPolicy(const CollectionRules& rules);

  // Of values without a frequency of their own.
  bool Collects(std::int64_t step) const { return has_rest_ && rest_.Contains(step); }
  bool CollectsTensors(std::int64_t step) const { return has_tensors_ && tensors_.Contains(step); }

  // The steps of every value of `kind` but those that frequencies with a tag are for; what a
  // frequency in seconds adds is not in it.
  const StepSeries& SeriesOf(ValueKind kind) const;

  // The smallest step larger than `step` of which something may be recorded, or
  // StepSeries::kNever; with frequencies in seconds, the next that is worth a look at the clock.
  std::int64_t NextAfter(std::int64_t step, const CollectionState& state = {}) const;

  // What to record of `step`, which ended at the clock reading `now_nanos`; nothing when it is the
  // one recorded last. A smaller step than that is a restart and is recorded again. Changes
  // nothing.
  CollectionDecision Peek(std::int64_t step, std::int64_t now_nanos,
                          const CollectionState& state) const;

  // The same; advances `state`.
  CollectionDecision Decide(std::int64_t step, std::int64_t now_nanos,
                            CollectionState& state) const;

 private:
  struct Own {
    Frequency rule;
    StepSeries series;  // Without its seconds.
    std::int64_t every_nanos = 0;
  };
  bool IsDue(std::size_t own, std::int64_t step, std::int64_t now_nanos,
             const CollectionState& state) const;
  std::int64_t NextLook(std::int64_t step, const CollectionState& state) const;

  StepSeries rest_;
  StepSeries tensors_;
  std::vector<Own> own_;
  // Whether there may be values that they count for.
  bool has_rest_ = true;
  bool has_tensors_ = true;
  bool has_seconds_ = false;
};

}  // namespace sightline
