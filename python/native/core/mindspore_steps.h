// MindSporeSteps: ends the steps of a training, for the callback of sightline.mindspore.
//
// After a training's step the processor's caches contain neither code nor data of a callback, so
// that the callback's time depends on what it touches for the first time. Python functions touch
// most. Therefore the callback makes only one call, to this.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

// REQUIRES: BindSummaryMonitor(module) was called before.
void BindMindSporeSteps(nanobind::module_& module);

}  // namespace sightline::python
