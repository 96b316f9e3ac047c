// MindSporeSteps: the ends of a training's steps, for the callback of sightline.mindspore.
//
// After a training's step neither code nor data of a callback is in the processor's caches, and
// what it takes is what it touches for the first time. A function of Python's touches most, so the
// callback's makes one call, of this.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

// REQUIRES: BindSummaryMonitor(module) came before.
void BindMindSporeSteps(nanobind::module_& module);

}  // namespace sightline::python
