// Python's SummaryMonitor.end_step.
#pragma once

#include <nanobind/nanobind.h>

#include "sightline/python/native/core/step.h"
#include "sightline/python/native/core/summary_monitor.h"

namespace sightline::python {

// Ends step `number` with the given values. Throws nanobind::python_error if `number` is not a
// number,
// and for exceptions that `except Exception` does not catch. Needs the GIL.
void EndStep(PyMonitor& self, nb::handle number, Step& given);

// Adds the method to the type SummaryMonitor.
void AddEndStep(nb::handle type);

}  // namespace sightline::python
