// A profile in words: up to three things that cost most, each with its evidence and what to try;
// nothing where nothing is wrong.
//
// Rules, each with what must be the case and the share of the time that it costs. Medians, and of
// operators lower quartiles, so that slow moments of the machine are no finding:
//
//   data-wait      the steps wait for data for more than 10 % of their period; or the queue of
//                  MindSpore's pipeline was empty for 30 % of the batches (data_pipeline.h)
//   late-start     4 steps or more without such marks: more than 30 % and more than 0.5 ms pass
//                  before the first operator (MindInsight's step_trace-iter_interval has the
//                  0.5 ms)
//   first-step     the first of 4 steps or more is 3 times as long as the others; its excess is
//                  more than 20 % of all steps
//   slow-operator  an operator takes 1.5 times as long as the others of its type and shapes (the
//                  same details in a trace), of which there are 2 or more; operators whose shapes
//                  vary are left out. Or in the last third of the profile 1.5 times as long as in
//                  the first third, though the others do not; it runs 8 times at least in each.
//                  Or, with a profile of before, 1.3 times as long a step as there. Cost: its
//                  excess, 5 % of the operators' time
//   communication  waiting for other processes takes more than 10 % of the steps' period
//                  (MindInsight's and PyTorch's plugin's limit)
//   memory-growth  behind the first fifth of its samples, of which there are 10, a counter of
//                  memory rises by 10 %, in all eighths but one at least, and in the last one: what
//                  has stopped to grow is no leak. Cost: its growth by its last value
//   straggler      of several ranks (ranks.h)
#pragma once

#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct Finding {
  std::string rule;      // "data-wait"
  std::string subject;   // What it is about: an operator, a counter, a rank; or empty.
  std::string what;      // A sentence: "The steps wait for their data."
  std::string evidence;  // With its numbers.
  std::string change;    // What to try.
  double share = 0;      // Of the profile's time (of its memory, for memory-growth), 0..1.
};

inline constexpr std::size_t kMaxFindings = 3;

// By share, descending. `before`: a profile of the same training when it was fast, or null.
std::vector<Finding> SummaryOf(const Profile& profile, const Profile* before = nullptr);

// By share, descending, and no more than kMaxFindings.
std::vector<Finding> Greatest(std::vector<Finding> findings);

}  // namespace sightline::profile
