// Python's RecorderStats: what a recorder has done so far, field by field, and as a line at the
// prompt.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void BindRecorderStats(nanobind::module_& module);

}  // namespace sightline::python
