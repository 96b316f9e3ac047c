// Where the steps of a training spend their time.
//
//   gap     forward_start - start         waiting: from the step's start to its first operator
//   work    backward_end - forward_start  forward and backward (of inference: all of it)
//   tail    end - backward_end            optimizer, parameter update
//   total   end - start
//
// (mindspore 2.0.0, profiler/parser/step_trace_parser.py.) Where the steps come from, in this
// order: the step trace that MindSpore wrote; spans that the trace marks as steps; else, inferred,
// the operators: a step begins where the first operator of the trace runs again (MindSpore's own
// rule for the processor). Backward ends with the last operator below "Gradients/"; where there is
// none, with the step's end. Options name other operators, as FP_POINT and BP_POINT do: forward
// starts with the first of that name in the step, backward ends with the last.
//
// A marked step without operators is divided by the user's spans on its thread: work begins with
// the first that does not wait for data, and ends with the last whose name has "backward" in it;
// where there is none, with the step's end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

enum class StepSource : std::uint8_t { kRecorded, kMarked, kInferred, kNone };
std::string_view StepSourceName(StepSource source);

struct Step {
  std::int64_t number = 0;
  std::int64_t start = 0;  // Nanoseconds of the profile's clock.
  std::int64_t end = 0;
  std::int64_t gap = 0;
  std::int64_t work = 0;
  std::int64_t tail = 0;
  std::int64_t communication = 0;  // Sum of what is between devices; it may overlap with the work.

  std::int64_t total() const { return end - start; }
  std::int64_t forward_start() const { return start + gap; }
  std::int64_t backward_end() const { return end - tail; }
};

// One communication within a step.
struct StepCommunication {
  std::string name;
  std::string lane;  // Of the trace; empty for a recorded step trace.
  std::int64_t start = 0;
  std::int64_t end = 0;
};

struct StepMean {
  double total = 0;
  double gap = 0;
  double work = 0;
  double tail = 0;
  double communication = 0;
};

struct StepTable {
  std::vector<Step> steps;
  StepSource source = StepSource::kNone;
  std::string forward_operator, backward_operator;  // Where known.
};

struct StepOptions {
  std::string forward_operator;  // Full name; empty: found.
  std::string backward_operator;
};

StepTable StepsOf(const Profile& profile, const StepOptions& options = {});

// Those that begin in the step (at its end: in the next one), in the order of their starts.
std::vector<StepCommunication> CommunicationIn(const Profile& profile, const StepTable& table,
                                               const Step& step);

// Of all steps, or of all but the first, which often builds and warms up; an only step counts. All
// 0 for no steps.
StepMean MeanOf(const std::vector<Step>& steps, bool without_first);

}  // namespace sightline::profile
