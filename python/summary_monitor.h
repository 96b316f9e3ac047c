// PyMonitor: the SummaryMonitor of Python.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

// REQUIRES: BindRecorder(module) came before.
void BindSummaryMonitor(nanobind::module_& module);

}  // namespace sightline::python
