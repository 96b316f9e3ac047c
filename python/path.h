// Paths of Python's.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sightline::python {

// The bytes of a str, bytes or os.PathLike. Raises TypeError for anything else.
std::string ToPath(nanobind::handle path);

}  // namespace sightline::python
