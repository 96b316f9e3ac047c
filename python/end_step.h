// SummaryMonitor.end_step of Python.
#pragma once

#include <nanobind/nanobind.h>

#include "sightline/python/step.h"
#include "sightline/python/summary_monitor.h"

namespace sightline::python {

// Step `number` ended, with what is given. Throws nanobind::python_error for a number that is none,
// and what no except Exception would catch. Needs the GIL.
void EndStep(PyMonitor& monitor, nb::handle number, Step& given);

// Adds the method to the type of SummaryMonitor.
void AddEndStep(nb::handle type);

}  // namespace sightline::python
