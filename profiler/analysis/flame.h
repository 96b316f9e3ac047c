// Where the time of nested calls goes: stacks of spans with the time that is their own, in the
// "folded" form that flame graphs are drawn from (Brendan Gregg's flamegraph.pl, speedscope.app):
//
//   lane;outer;inner 1234
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profile {

struct FoldedStack {
  std::string stack;        // From the outermost on; semicolons within a name become colons.
  std::int64_t nanos = 0;   // Without the spans within its last one.
  std::uint64_t count = 0;  // How often that one ran.
};

// The stacks of all threads and streams, in the order of their texts. The frames of a span are the
// lane, and the spans around it on the lane. Where the profiler wrote a span's call stack (argument
// "Call stack" of PyTorch's and MindSpore's traces: frames from the innermost on, divided by ";" or
// line ends), that stands for the spans around it which are no functions of Python's.
// Formula: own time = duration - the durations of the spans directly within. Pure.
std::vector<FoldedStack> FoldedStacksOf(const Model& model);

}  // namespace sightline::profile
