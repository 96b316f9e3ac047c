// Numbers of Python's: its own, NumPy's, tensors of one element - anything that has float() or
// index(). Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace sightline::python {

// Each throws nanobind::python_error for what is none. Inline for add_scalar.
inline std::int64_t ToInteger(nanobind::handle value) {
  const long long number = PyLong_AsLongLong(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw nanobind::python_error();
  return number;
}
// What float() of it gives, or -1 with an exception set. PyTorch warns where float() takes a tensor
// with a gradient, so such a one is detached.
double FloatOf(nanobind::handle value);
inline double ToNumber(nanobind::handle value) {
  const double number =
      PyFloat_Check(value.ptr()) ? PyFloat_AS_DOUBLE(value.ptr()) : FloatOf(value);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nanobind::python_error();
  return number;
}

// The same, but nothing for an array: what has the buffer protocol, or no float(), or one that
// fails, as that of a tensor of several elements does.
std::optional<double> NumberUnlessArray(nanobind::handle value);

}  // namespace sightline::python
