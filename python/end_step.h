// SummaryMonitor.end_step, which a training calls at every step.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

// Adds the method to the type of PyMonitor. Needs the GIL.
void AddEndStep(nanobind::handle type);

}  // namespace sightline::python
