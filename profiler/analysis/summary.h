// A profile in words: the things that cost most, at most three, each with its evidence and what to
// try. Empty if nothing is wrong.
//
// The rules compare medians (of operators: lower quartiles), so that slow moments of the machine
// cause no findings:
//
//   data-wait      The steps wait for data for more than 10 % of their period (step_use.h). If that
//                  is not recorded: the queue of the data pipeline was empty for more than 30 % of
//                  the batches (data_pipeline.h).
//   late-start     There are 4 or more steps, which MindSpore recorded, and more than 30 % of a
//   step
//                  and more than 0.5 ms pass before its first operator (the 0.5 ms are from
//                  MindInsight's step_trace-iter_interval). Only if there is neither data-wait nor
//                  communication.
//   first-step     There are 4 or more steps, and the first is 3 times as long as the others. The
//                  difference is more than 20 % of all steps. Steps that are only inferred do not
//                  count.
//   slow-operator  An operator takes more than 1.5 times as long as 2 or more others of its type
//                  and shapes (in a trace: with the same details); operators whose shapes vary are
//                  left out. Or it takes 1.5 times as long in the last third of the profile as in
//                  the first, while the other operators do not, and runs 8 times or more in each.
//                  Or, if there is a profile from before, it takes more than 1.3 times as long in
//                  each step as there. The difference is at least 5 % of the operators' time.
//   communication  Waiting for other processes takes more than 10 % of the steps' period (the limit
//                  of MindInsight and of PyTorch's plugin). Of a device: it communicates, and
//                  computes nothing, for more than 10 % of its time in a step (device_use.h).
//   host-bound     A device is idle for more than 10 % of its time in a step, and for more than
//   half
//                  of that, because the host had not launched its next task yet
//                  (device_timeline.h). Not if the steps wait for data (data-wait) meanwhile.
//   device-idle    The same for other reasons, or if launches are not recorded.
//                  Where a device's own tasks tell these times, those of its first task to its last
//                  count, without the first of 4 or more steps.
//   environment    ASCEND_LAUNCH_BLOCKING=1 was set, or CANN logged at level 0 or 1 while the
//   device
//                  was idle for more than 10 % of its time. The cost is its idle time.
//   ai-cpu         Kernels on the AI CPU take more than 5 % of all kernels' time, and 2 % of the
//                  device's. The same limits hold for what the next two rules call lost.
//   few-cores      Kernels have at most half as many blocks as most kernels of their kind of core.
//                  Lost is the share of the cores that they leave idle.
//   far-below-bound  No unit of the cores is busy for half of a kernel's time; units that only
//   steer
//                  others (scalar) do not count. Lost is what they take longer than if a unit were
//                  busy for 80 % of the time.
//   core-frequency A device's frequency is on average more than 5 % below its highest.
//   memory-growth  A memory counter has 10 samples or more. The first fifth is left out and the
//                  rest is divided into eighths: the lowest value of an eighth is higher than that
//                  of the one before, with one exception at most, which is not the last; in all it
//                  rises by more than 10 %, and more than a quarter of this in the last half. The
//                  cost is the growth as a share of the last value.
//   straggler      One of several ranks is slow (ranks.h).
#pragma once

#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct Finding {
  std::string rule;      // "data-wait"
  std::string subject;   // An operator, a counter, a rank; may be empty.
  std::string what;      // A sentence: "The steps wait for their data."
  std::string evidence;  // What was measured, with numbers.
  std::string change;    // What to try.
  double share = 0;      // The cost, as a share of the time (for memory-growth: memory), 0..1.
};

inline constexpr std::size_t kMaxFindings = 3;

// The findings, ordered by share, the greatest first. `before`: a profile of the same training when
// it was fast, or null.
std::vector<Finding> Summarize(const Profile& profile, const Profile* before = nullptr);

// The kMaxFindings findings with the greatest shares, the greatest first.
std::vector<Finding> Greatest(std::vector<Finding> findings);

}  // namespace sightline::profiler
