#include "sightline/collectors/rules/collection_policy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace sightline {
namespace {

// The number of tensor steps that are recorded by default, and the last multiple among them (from
// 0).
constexpr std::int64_t kTensorSteps = 20;
constexpr std::int64_t kLastMultiple = kTensorSteps - 1;

// The default rule for tensors is MindSpore's: as many steps as for other values if these are few,
// otherwise about 20, evenly over the run. MindSpore does not define what happens if the run's
// length is unknown. Here the distance then doubles, so that the steps stay few and still reach the
// end.
StepSeries DefaultTensorSteps(const CollectionRules& rules) {
  if (rules.total_steps <= 0) return {.period = rules.collect_freq, .doubling = true};
  const std::int64_t total = rules.total_steps / rules.ranks;
  if (1 + total / rules.collect_freq <= kTensorSteps) return {.period = rules.collect_freq};
  const std::int64_t period = total / kLastMultiple;
  if (period <= 1) return {.period = 1, .last = kTensorSteps};
  return {.period = period, .last = kLastMultiple * period};
}

// With frequencies in seconds: how many steps may pass without reading the clock.
constexpr double kMaxBlindSteps = 64;

}  // namespace

bool StepSeries::Contains(std::int64_t step) const {
  if (step >= 1 && step <= first) return true;
  if (step < 0 || step > last || step % period != 0) return false;
  return !doubling || step == 0 || std::has_single_bit(static_cast<std::uint64_t>(step / period));
}

std::int64_t StepSeries::CountTo(std::int64_t total) const {
  if (total < 1) return 0;
  const auto multiples = static_cast<std::uint64_t>(std::min(total, last) / period);
  const std::uint64_t count =
      doubling ? static_cast<std::uint64_t>(std::bit_width(multiples)) : multiples;
  // The first steps that are not multiples. (If it doubles, there is one first step.)
  const std::int64_t firsts = std::min(first, total);
  return static_cast<std::int64_t>(count) + firsts - std::min(firsts, last) / period;
}

std::int64_t StepSeries::NextAfter(std::int64_t step) const {
  if (step < 0) return 0;
  if (step < first) return step + 1;
  const auto multiple = static_cast<std::uint64_t>(step / period) + 1;
  const auto next = doubling ? std::bit_ceil(multiple) : multiple;
  return next > static_cast<std::uint64_t>(last / period)
             ? kNever
             : static_cast<std::int64_t>(next) * period;
}

std::vector<std::int64_t> StepSeries::StepsTo(std::int64_t total, std::int64_t from) const {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = NextAfter(from - 1); step <= total && step != kNever;
       step = NextAfter(step))
    steps.push_back(step);
  return steps;
}

StepSeries StepsOf(const Frequency& frequency) {
  StepSeries series{.first = frequency.first_steps.value_or(1)};
  if (frequency.every_steps) {
    series.period = *frequency.every_steps;
  } else {
    series.last = series.first;
  }
  return series;
}

CollectionPolicy::CollectionPolicy(const CollectionRules& rules)
    : rest_{.period = rules.collect_freq},
      tensors_(rules.collect_tensor_freq ? StepSeries{.period = *rules.collect_tensor_freq}
                                         : DefaultTensorSteps(rules)) {
  for (const Frequency& frequency : rules.frequencies) {
    own_.push_back(
        {frequency, StepsOf(frequency), std::llround(frequency.every_seconds.value_or(0) * 1e9)});
    has_seconds_ = has_seconds_ || frequency.every_seconds.has_value();
  }
  const auto is_covered = [&](ValueKind kind) {
    return std::any_of(own_.begin(), own_.end(),
                       [&](const Own& own) { return own.rule.Covers(kind); });
  };
  if (rules.max_overhead) budget_.emplace(*rules.max_overhead);
  only_heavy_[kTensorSource] = true;
  for (std::size_t i = 0; i < own_.size(); ++i)
    only_heavy_[kFrequencySources + i] = own_[i].rule.kind && IsHeavy(*own_[i].rule.kind);
  has_tensors_ = !is_covered(ValueKind::kTensor);
  has_rest_ = !is_covered(ValueKind::kScalar) || !is_covered(ValueKind::kHistogram) ||
              !is_covered(ValueKind::kImage);
}

const StepSeries& CollectionPolicy::SeriesOf(ValueKind kind) const {
  for (const Own& own : own_)
    if (own.rule.Covers(kind)) return own.series;
  return kind == ValueKind::kTensor ? tensors_ : rest_;
}

std::int64_t CollectionPolicy::NextAfter(std::int64_t step, const CollectionState& state) const {
  std::int64_t next = StepSeries::kNever;
  if (has_rest_) next = rest_.NextAfter(step);
  if (has_tensors_) next = std::min(next, tensors_.NextAfter(step));
  for (const Own& own : own_) next = std::min(next, own.series.NextAfter(step));
  return has_seconds_ ? std::min(next, NextLook(step, state)) : next;
}

// Half of the steps that fit into the remaining time, if they take as long as the last ones did. If
// steps become slower, the next reading of the clock is late by less than the remaining time.
std::int64_t CollectionPolicy::NextLook(std::int64_t step, const CollectionState& state) const {
  if (step == StepSeries::kNever) return step;
  if (state.nanos_per_step <= 0) return step + 1;
  double blind = kMaxBlindSteps;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    if (!own_[i].rule.every_seconds) continue;
    if (i >= state.frequency_nanos.size() || !state.frequency_nanos[i]) return step + 1;
    const auto passed = static_cast<double>(state.looked_nanos - *state.frequency_nanos[i]);
    const double left = static_cast<double>(own_[i].every_nanos) - passed;
    blind = std::min(blind, left / state.nanos_per_step / 2);
  }
  const auto steps = static_cast<std::int64_t>(std::max(blind, 1.0));
  return steps > StepSeries::kNever - step ? StepSeries::kNever : step + steps;
}

bool CollectionPolicy::IsDue(std::size_t own, std::int64_t step, std::int64_t now_nanos,
                             const CollectionState& state) const {
  if (own_[own].series.Contains(step)) return true;
  if (!own_[own].rule.every_seconds) return false;
  if (own >= state.frequency_nanos.size() || !state.frequency_nanos[own]) return true;
  return now_nanos - *state.frequency_nanos[own] >= own_[own].every_nanos;
}

ValueSources CollectionPolicy::DueAt(std::int64_t step, std::int64_t now_nanos,
                                     const CollectionState& state) const {
  ValueSources due;
  if (step == state.last_step) return due;
  due[kRestSource] = Collects(step);
  due[kTensorSource] = CollectsTensors(step);
  for (std::size_t i = 0; i < own_.size(); ++i)
    due[kFrequencySources + i] = IsDue(i, step, now_nanos, state);
  return due;
}

ValueSources CollectionPolicy::Thinned(const ValueSources& due,
                                       const CollectionState& state) const {
  ValueSources thinned;
  for (std::size_t i = 0; i < state.sources.size(); ++i) {
    const auto& [heavy, left_out] = state.sources[i];
    thinned[i] = due[i] && heavy && left_out + 1 < state.overhead.every;
  }
  return thinned;
}

CollectionDecision CollectionPolicy::DecisionOf(const ValueSources& due, std::int64_t step,
                                                std::int64_t now_nanos,
                                                const CollectionState& state) const {
  CollectionDecision decision{.due = due, .thinned = Thinned(due, state)};
  decision.due &= ~(decision.thinned & only_heavy_);
  if (decision.nothing()) return decision;
  if (state.last_step && state.last_nanos && step > *state.last_step) {
    const auto nanos = static_cast<double>(now_nanos - *state.last_nanos - state.paused_nanos);
    decision.seconds_per_step =
        std::max(nanos, 0.0) * 1e-9 / static_cast<double>(step - *state.last_step);
  }
  return decision;
}

CollectionDecision CollectionPolicy::Peek(std::int64_t step, std::int64_t now_nanos,
                                          const CollectionState& state) const {
  return DecisionOf(DueAt(step, now_nanos, state), step, now_nanos, state);
}

CollectionDecision CollectionPolicy::Decide(std::int64_t step, std::int64_t now_nanos,
                                            CollectionState& state) const {
  const ValueSources due = DueAt(step, now_nanos, state);
  const CollectionDecision decision = DecisionOf(due, step, now_nanos, state);
  if (has_seconds_) {
    const bool went_on = state.looked_step && step > *state.looked_step;
    state.nanos_per_step = went_on ? static_cast<double>(now_nanos - state.looked_nanos) /
                                         static_cast<double>(step - *state.looked_step)
                                   : 0;
    state.looked_step = step;
    state.looked_nanos = now_nanos;
    state.frequency_nanos.resize(own_.size());
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (due[kFrequencySources + i]) state.frequency_nanos[i] = now_nanos;
  }
  for (std::size_t i = 0; i < state.sources.size(); ++i) {
    std::int64_t& left_out = state.sources[i].left_out;
    if (due[i]) left_out = decision.thinned[i] ? left_out + 1 : 0;
  }
  if (decision.nothing()) return decision;
  state.trained_nanos.reset();
  if (state.last_nanos && state.last_step && step > *state.last_step) {
    const std::int64_t passed = now_nanos - *state.last_nanos - state.paused_nanos;
    const std::int64_t trained = passed - state.cost_nanos - state.between_nanos;
    state.trained_nanos = static_cast<double>(std::max<std::int64_t>(trained, 0));
  }
  state.cost_nanos = 0;
  state.last_step = step;
  state.last_nanos = now_nanos;
  state.paused_nanos = 0;
  return decision;
}

std::optional<RateChange> CollectionPolicy::Charge(const CollectionDecision& decision,
                                                   const ValueSources& heavy,
                                                   std::int64_t now_nanos,
                                                   CollectionState& state) const {
  state.sources.resize(kFrequencySources + own_.size());
  for (std::size_t i = 0; i < state.sources.size(); ++i)
    if (decision.due[i] && !decision.thinned[i]) state.sources[i].heavy = heavy[i];
  state.cost_nanos = std::max<std::int64_t>(now_nanos - state.last_nanos.value_or(now_nanos), 0);
  const auto between = static_cast<double>(std::exchange(state.between_nanos, 0));
  // The cost of the first step says nothing about others: its names and pages are seen for the
  // first time.
  if (!state.trained_nanos) return std::nullopt;
  return budget_->Charge({.trained_nanos = *state.trained_nanos,
                          .cost_nanos = static_cast<double>(state.cost_nanos),
                          .heavy = heavy.any(),
                          .between_nanos = between},
                         state.overhead);
}

}  // namespace sightline
