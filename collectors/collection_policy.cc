#include "sightline/collectors/collection_policy.h"

#include <algorithm>
#include <bit>

namespace sightline {
namespace {

// The steps of tensors that are recorded by default, and the last multiple among them (from 0).
constexpr std::int64_t kTensorSteps = 20;
constexpr std::int64_t kLastMultiple = kTensorSteps - 1;

// The default rule of tensors, as MindSpore has it: as many steps as the rest where those are few,
// otherwise about 20, evenly over the run. It never says what to do when the run's length is
// unknown: then the distance doubles, so that they stay few and still reach the end.
StepSeries DefaultTensorSteps(const CollectionRules& rules) {
  if (rules.total_steps <= 0) return {.period = rules.collect_freq, .doubling = true};
  const std::int64_t total = rules.total_steps / rules.ranks;
  if (1 + total / rules.collect_freq <= kTensorSteps) return {.period = rules.collect_freq};
  const std::int64_t period = total / kLastMultiple;
  if (period <= 1) return {.period = 1, .last = kTensorSteps};
  return {.period = period, .last = kLastMultiple * period};
}

}  // namespace

bool StepSeries::Contains(std::int64_t step) const {
  if (step == 1) return true;
  if (step < 0 || step > last || step % period != 0) return false;
  return !doubling || step == 0 || std::has_single_bit(static_cast<std::uint64_t>(step / period));
}

std::int64_t StepSeries::CountTo(std::int64_t total) const {
  if (total < 1) return 0;
  const auto multiples = static_cast<std::uint64_t>(std::min(total, last) / period);
  const std::uint64_t count =
      doubling ? static_cast<std::uint64_t>(std::bit_width(multiples)) : multiples;
  return static_cast<std::int64_t>(count) + (period == 1 ? 0 : 1);
}

std::int64_t StepSeries::NextAfter(std::int64_t step) const {
  if (step < 0) return 0;
  if (step == 0) return 1;
  const auto multiple = static_cast<std::uint64_t>(step / period) + 1;
  const auto next = doubling ? std::bit_ceil(multiple) : multiple;
  return next > static_cast<std::uint64_t>(last / period)
             ? kNever
             : static_cast<std::int64_t>(next) * period;
}

CollectionPolicy::CollectionPolicy(const CollectionRules& rules)
    : rest_{.period = rules.collect_freq},
      tensors_(rules.collect_tensor_freq ? StepSeries{.period = *rules.collect_tensor_freq}
                                         : DefaultTensorSteps(rules)) {}

std::int64_t CollectionPolicy::NextAfter(std::int64_t step) const {
  return std::min(rest_.NextAfter(step), tensors_.NextAfter(step));
}

CollectionDecision CollectionPolicy::Decide(std::int64_t step, std::int64_t now_nanos,
                                            CollectionState& state) const {
  CollectionDecision decision;
  if (step == state.last_step) return decision;
  decision.collect = Collects(step);
  decision.collect_tensors = CollectsTensors(step);
  if (decision.nothing()) return decision;
  if (state.last_step && state.last_nanos && step > *state.last_step) {
    const auto nanos = static_cast<double>(now_nanos - *state.last_nanos - state.paused_nanos);
    decision.seconds_per_step =
        std::max(nanos, 0.0) * 1e-9 / static_cast<double>(step - *state.last_step);
  }
  state = {.last_step = step, .last_nanos = now_nanos, .paused_nanos = 0};
  return decision;
}

}  // namespace sightline
