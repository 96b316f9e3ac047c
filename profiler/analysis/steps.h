// Where the steps of a training spend their time.
//
//   gap     forward_start - start         waiting: from the step's start to its first operator
//   work    backward_end - forward_start  forward and backward (for inference, all of it)
//   tail    end - backward_end            optimizer, parameter update
//   total   end - start
//
// (mindspore 2.0.0, profiler/parser/step_trace_parser.py.) The steps come from the step trace that
// MindSpore wrote; if there is none, from spans that are marked as steps. If there are none, and a
// table of the source lists steps (step_trace_time.csv), there is no table of steps: it is not
// known when they begin (device_use.h has their times). Otherwise they are inferred, where
// operators follow each other on a processor: a step begins where the first operator of the trace
// runs again (MindSpore's own rule for CPUs). Nothing is inferred from operators that call each
// other, nor beside a device's kernels: the first of those runs often within a step. Backward ends
// with the last operator under "Gradients/", or with the step if there is none. Options can name
// other operators, like MindSpore's FP_POINT and BP_POINT: forward starts with the first one of
// that name in the step, backward ends with the last one. A name that does not occur in the trace
// is ignored.
//
// A marked step without operators is divided by the user's spans on its thread: work begins with
// the first one that does not wait for data, and ends with the last one that has "backward" in its
// name, or with the step if there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

enum class StepSource : std::uint8_t { kRecorded, kMarked, kListed, kInferred, kNone };
std::string_view StepSourceName(StepSource source);

struct Step {
  std::int64_t number = 0;
  std::int64_t start = 0;  // Nanoseconds of the profile's clock.
  std::int64_t end = 0;
  std::int64_t gap = 0;
  std::int64_t work = 0;
  std::int64_t tail = 0;
  std::int64_t communication = 0;  // Sum of all communications; they may overlap with the work.

  std::int64_t total() const { return end - start; }
  std::int64_t forward_start() const { return start + gap; }
  std::int64_t backward_end() const { return end - tail; }
};

// One communication within a step.
struct StepCommunication {
  std::string name;
  std::string lane;  // Its lane in the trace; empty if it comes from MindSpore's step trace.
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
  std::string forward_operator, backward_operator;  // As recorded or asked for; empty if unknown.
};

struct StepOptions {
  // Full names; if empty, the rules above find the operators.
  std::string forward_operator;
  std::string backward_operator;
};

StepTable AnalyzeSteps(const Profile& profile, const StepOptions& options = {});

// The communications that begin in the step, ordered by start. One that begins at the step's end
// belongs to the next step.
std::vector<StepCommunication> FindCommunication(const Profile& profile, const StepTable& table,
                                                 const Step& step);

// The mean of all steps, or of all but the first, which often compiles and warms up. If there is
// only one step, it counts; if there is none, all means are 0.
StepMean Mean(const std::vector<Step>& steps, bool without_first);

}  // namespace sightline::profiler
