// StepPhases: where a step's time goes, as scalars of a run beside its loss; without a profile.
//
//   StepPhases phases;
//   for (std::int64_t step = 1; step <= steps; ++step) {
//     { const auto waiting = phases.Measure("data_wait");  NextBatch(); }
//     { const auto forward = phases.Measure("forward");    Forward(); }
//     monitor->EndStep(step, [&](StepInfo& info) { phases.AddTo(info); });
//   }
//
// records "phase/data_wait" and "phase/forward" at the steps that are recorded: seconds a step, the
// mean over the steps since the one recorded before. A measurement costs two readings of the clock
// (about 50 ns), and allocates for a new name only. One thread at a time; a phase within another
// counts in both.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "sightline/base/clock.h"
#include "sightline/collectors/step_info.h"

namespace sightline {

class StepPhases {
  struct Phase {
    std::string tag;
    std::int64_t nanos = 0;  // Since the last AddTo.
  };

 public:
  // Until its end it measures. `phases` must outlive it.
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

  // `first_step`: the number of the first step; not 1 for a training that goes on from a
  // checkpoint.
  explicit StepPhases(std::int64_t first_step = 1, const Clock& clock = Clock::System())
      : clock_(clock), last_step_(first_step - 1) {}
  ~StepPhases() = default;
  StepPhases(const StepPhases&) = delete;
  StepPhases& operator=(const StepPhases&) = delete;

  Scope Measure(std::string_view name) { return {clock_, Find(name)}; }

  // A time that the caller has measured.
  void Add(std::string_view name, std::int64_t nanos) { Find(name).nanos += nanos; }

  // To info.scalars, of the steps up to info.step; the names live as long as this object. Then all
  // counts from 0 again.
  void AddTo(StepInfo& info);

 private:
  Phase& Find(std::string_view name);

  const Clock& clock_;
  std::deque<Phase> phases_;  // They stay where they are: a Scope and StepInfo point to them.
  std::int64_t last_step_;
};

}  // namespace sightline
