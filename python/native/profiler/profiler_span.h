// Spans, instants and counters for Python, without nanobind's dispatch, which takes longer than
// they do. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

// Adds the type Span and the functions span, instant and counter to the module.
void AddSpans(nanobind::module_& module);

}  // namespace sightline::python
