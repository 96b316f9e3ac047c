#include "sightline/python/native/core/number.h"

namespace sightline::python {

namespace nb = nanobind;

namespace {

// Looked up in the type, where a missing one costs no exception.
bool HasGradient(nb::handle value) {
  static PyObject* const flag = PyUnicode_InternFromString("requires_grad");
  static PyObject* const detach = PyUnicode_InternFromString("detach");
  PyTypeObject* const type = Py_TYPE(value.ptr());
  return _PyType_Lookup(type, flag) != nullptr && _PyType_Lookup(type, detach) != nullptr &&
         nb::bool_(value.attr(flag));
}

}  // namespace

double FloatOf(nb::handle value) {
  if (PyLong_Check(value.ptr()) || !HasGradient(value)) return PyFloat_AsDouble(value.ptr());
  return PyFloat_AsDouble(value.attr("detach")().ptr());
}

std::optional<double> NumberUnlessArray(nb::handle value) {
  if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return ToNumber(value);
  const PyNumberMethods* const methods = Py_TYPE(value.ptr())->tp_as_number;
  if (methods == nullptr || methods->nb_float == nullptr || PyObject_CheckBuffer(value.ptr()) != 0)
    return std::nullopt;
  const double number = FloatOf(value);
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
  PyErr_Clear();
  return std::nullopt;
}

}  // namespace sightline::python
