// Names of Python's.
#pragma once

#include <nanobind/nanobind.h>

#include <list>
#include <string>
#include <string_view>

namespace sightline::python {

// The UTF-8 of a str, valid as long as the str and `storage`, which gets the text of one that has
// no UTF-8 of its own: the recorder makes U+FFFD of a lone surrogate. Throws std::invalid_argument
// for anything else. Needs the GIL.
std::string_view ToName(nanobind::handle name, std::list<std::string>& storage);

}  // namespace sightline::python
