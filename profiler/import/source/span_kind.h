// Finds the kinds of spans by the names that the writers of traces use.
#pragma once

#include <string_view>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// The kind by category and name, for those of PyTorch (torch/csrc/profiler, torch-tb-profiler's
// trace.py) and of Sightline's profiler. kOther for all others.
SpanKind ClassifySpan(std::string_view category, std::string_view name);

// Sets the kinds of lanes, and of their spans that are kOther, by the names of processes and
// threads, since these tell the kind of a span in timelines of MindSpore and XLA.
void ClassifyByLane(Model& model);

}  // namespace sightline::profiler
