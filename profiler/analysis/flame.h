// Where the time of nested calls goes: stacks of spans, each with its own time, in the "folded"
// form from which flame graphs are drawn (Brendan Gregg's flamegraph.pl, speedscope.app):
//
//   lane;outer;inner 1234
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

struct FoldedStack {
  std::string stack;        // The outermost first; semicolons in names become colons.
  std::int64_t nanos = 0;   // Own time of the last span.
  std::uint64_t count = 0;  // How often it ran.
};

// The stacks of all threads and streams, ordered by their text. A stack begins with the lane; the
// spans around a span, and the span itself, follow. All steps of a training are one frame, "step";
// a lane with nothing but steps is left out, since other lanes have what they consist of. If the
// profiler wrote a span's call stack, that replaces the spans around it, unless one of them is a
// Python function. (It is the argument "Call stack" in traces of PyTorch and MindSpore: frames, the
// innermost first, separated by ";" or line ends.) Formula: own time = duration - the durations of
// the spans directly within. If a span would make its stack's text longer than 32 KB, or all texts
// together longer than 128 MB, its time counts as own time of the span around it. Pure function.
std::vector<FoldedStack> FoldStacks(const Model& model);

}  // namespace sightline::profiler
