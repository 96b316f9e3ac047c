// Numbers of Python's: its own, NumPy's, tensors of one element - anything that has float() or
// index(). Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace sightline::python {

// Each throws nanobind::python_error for what is none.
std::int64_t ToInteger(nanobind::handle value);
double ToNumber(nanobind::handle value);

// The same, but nothing for an array: what has the buffer protocol, or no float(), or one that
// fails, as that of a tensor of several elements does.
std::optional<double> NumberUnlessArray(nanobind::handle value);

}  // namespace sightline::python
