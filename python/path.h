// Paths of Python's. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sightline::python {

// The bytes of a str, bytes or os.PathLike. Raises TypeError for anything else.
std::string ToPath(nanobind::handle path);

// A str of a path's bytes, as os.fsdecode gives it: what is no UTF-8 comes back the same by ToPath.
nanobind::object FromPath(const std::string& path);

}  // namespace sightline::python
