// LossLandscape of Python: what sightline._landscape computes and sightline._core records.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void BindLossLandscape(nanobind::module_& module);

}  // namespace sightline::python
