// Paths from Python. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sightline::python {

// The bytes of a str, bytes or os.PathLike. Raises TypeError for anything else.
std::string ToPath(nanobind::handle path);

// The str of a path's bytes, as os.fsdecode returns it; ToPath turns bytes that are no UTF-8 back
// into themselves.
nanobind::object FromPath(const std::string& path);

}  // namespace sightline::python
