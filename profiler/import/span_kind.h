// What spans stand for, by the words of those who write traces.
#pragma once

#include <string_view>

#include "sightline/profiler/model/model.h"

namespace sightline::profile {

// By category and name: PyTorch's (torch/csrc/profiler, torch-tb-profiler's trace.py) and our own
// recorder's categories. kOther where they say nothing.
SpanKind KindOf(std::string_view category, std::string_view name);

// Sets the kinds of the lanes, and of spans that are kOther, by the names of their processes and
// threads: MindSpore's and XLA's timelines say there what a span is.
void ClassifyByLane(Model& model);

}  // namespace sightline::profile
