// What a program runs on, for python/sightline/_run_facts.py.
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void BindRunFacts(nanobind::module_& module);

}  // namespace sightline::python
