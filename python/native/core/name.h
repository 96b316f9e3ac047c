// Names from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <list>
#include <string>
#include <string_view>

namespace sightline::python {

// The UTF-8 of a str, valid as long as the str and `storage` live. A str with a lone surrogate has
// no UTF-8; its text goes into `storage`, and the recorder makes U+FFFD of the surrogate. Throws
// std::invalid_argument for anything else. Needs the GIL.
std::string_view ToName(nanobind::handle name, std::list<std::string>& storage);

}  // namespace sightline::python
