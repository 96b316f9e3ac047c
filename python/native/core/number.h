// Numbers from Python: its own, NumPy's, tensors of one element, and anything else that has float()
// or index(). Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace sightline::python {

// Each throws nanobind::python_error if the value is not a number. Inline for add_scalar.
inline std::int64_t ToInteger(nanobind::handle value) {
  const long long number = PyLong_AsLongLong(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw nanobind::python_error();
  return number;
}
// What float() of it gives, or -1 with an exception set. PyTorch warns where float() takes a tensor
// with a gradient, so such a one is detached.
double FloatOf(nanobind::handle value);
inline double ToNumber(nanobind::handle value) {
  const double number = PyFloat_Check(value.ptr()) ? PyFloat_AsDouble(value.ptr()) : FloatOf(value);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nanobind::python_error();
  return number;
}

// The same, but nothing for an array. An array is an object that has the buffer protocol, that has
// no float(), or whose float() fails, as for a tensor of several elements.
std::optional<double> NumberUnlessArray(nanobind::handle value);

}  // namespace sightline::python
