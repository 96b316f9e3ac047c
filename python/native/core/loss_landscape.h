// Python's LossLandscape: sightline._landscape computes it, and sightline._core records it.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void BindLossLandscape(nanobind::module_& module);

}  // namespace sightline::python
