#include "sightline/python/number.h"

namespace sightline::python {

namespace nb = nanobind;

std::optional<double> NumberUnlessArray(nb::handle value) {
  if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return ToNumber(value);
  const PyNumberMethods* const methods = Py_TYPE(value.ptr())->tp_as_number;
  if (methods == nullptr || methods->nb_float == nullptr || PyObject_CheckBuffer(value.ptr()) != 0)
    return std::nullopt;
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
  PyErr_Clear();
  return std::nullopt;
}

}  // namespace sightline::python
