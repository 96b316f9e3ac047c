// StepPhases: measures where a step's time goes, and records it as scalars, like the loss. No
// profile is needed.
//
//   StepPhases phases;
//   for (std::int64_t step = 1; step <= steps; ++step) {
//     { const auto waiting = phases.Measure("data_wait");  NextBatch(); }
//     { const auto forward = phases.Measure("forward");    Forward(); }
//     monitor->EndStep(step, [&](StepInfo& info) { phases.AddTo(info); });
//   }
//
// This records "phase/data_wait" and "phase/forward" at the steps that the monitor records. The
// values are seconds in a step: the mean of the steps since the last recorded one. A measurement
// reads the clock twice, and allocates only for a new name. A phase within another one counts in
// both. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "sightline/base/clock.h"
#include "sightline/collectors/collect/step_info.h"

namespace sightline {

class StepPhases {
  struct Phase {
    std::string tag;
    std::int64_t nanos = 0;  // Since the last AddTo.
  };

 public:
  // Measures the time until its destruction. The StepPhases must outlive it.
  class [[nodiscard]] Scope {
   public:
    Scope(const Clock& clock, Phase& phase)
        : clock_(clock), phase_(phase), begin_(clock.MonotonicNanos()) {}
    ~Scope() { phase_.nanos += clock_.MonotonicNanos() - begin_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    const Clock& clock_;
    Phase& phase_;
    const std::int64_t begin_;
  };

  // `first_step`: the number of the first step; it is not 1 if the training continues from a
  // checkpoint.
  explicit StepPhases(std::int64_t first_step = 1, const Clock& clock = Clock::System())
      : clock_(clock), last_step_(first_step - 1) {}
  ~StepPhases() = default;
  StepPhases(const StepPhases&) = delete;
  StepPhases& operator=(const StepPhases&) = delete;

  Scope Measure(std::string_view name) { return {clock_, Find(name)}; }

  // Adds a time that the caller has measured, in nanoseconds.
  void Add(std::string_view name, std::int64_t nanos) { Find(name).nanos += nanos; }

  // Adds the means of the steps up to info.step to info.scalars, and starts again from 0. The names
  // live as long as this object.
  void AddTo(StepInfo& info);

 private:
  Phase& Find(std::string_view name);

  const Clock& clock_;
  std::deque<Phase> phases_;  // A deque, since its elements do not move: Scope and StepInfo point
                              // to them.
  std::int64_t last_step_;
};

}  // namespace sightline
