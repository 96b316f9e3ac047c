#include "sightline/python/native/core/number.h"

namespace sightline::python {

namespace nb = nanobind;

namespace {

// Whether a type has an attribute. A missing one costs no exception.
bool Has(nb::handle type, PyObject* name) {
#ifdef Py_LIMITED_API
  return PyObject_HasAttr(type.ptr(), name) != 0;
#else  // Up to CPython 3.11, that would make an exception and drop it.
  return _PyType_Lookup(reinterpret_cast<PyTypeObject*>(type.ptr()), name) != nullptr;
#endif
}

bool HasGradient(nb::handle value) {
  static PyObject* const flag = PyUnicode_InternFromString("requires_grad");
  static PyObject* const detach = PyUnicode_InternFromString("detach");
  const nb::handle type = value.type();
  // Tensors are of classes that Python made; NumPy's numbers are not, and are not asked.
  if ((PyType_GetFlags(Py_TYPE(value.ptr())) & Py_TPFLAGS_HEAPTYPE) == 0) return false;
  return Has(type, flag) && Has(type, detach) && nb::bool_(value.attr(flag));
}

}  // namespace

double FloatOf(nb::handle value) {
  if (PyLong_Check(value.ptr()) || !HasGradient(value)) return PyFloat_AsDouble(value.ptr());
  return PyFloat_AsDouble(value.attr("detach")().ptr());
}

std::optional<double> NumberUnlessArray(nb::handle value) {
  if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return ToNumber(value);
  if (PyType_GetSlot(Py_TYPE(value.ptr()), Py_nb_float) == nullptr ||
      PyObject_CheckBuffer(value.ptr()) != 0)
    return std::nullopt;
  const double number = FloatOf(value);
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
  PyErr_Clear();
  return std::nullopt;
}

}  // namespace sightline::python
