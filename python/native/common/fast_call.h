// Methods for Python without nanobind's dispatch, which would take longer than the functions that
// are called at every step.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <span>

#include "sightline/python/native/common/objects.h"

namespace sightline::python {

// The parameters of a METH_FASTCALL | METH_KEYWORDS function: the first `required` arguments must
// be given; those after the first `positional` can only be given by keyword.
struct FastSignature {
  std::span<const char* const> names;
  std::size_t required;
  std::size_t positional;
  const char* usage;  // The message of a TypeError.
};

// Puts the arguments into `values`, which has a place for each name; null if an argument is not
// given. If the call does not fit, sets a TypeError and returns false.
inline bool MatchArguments(const FastSignature& signature, PyObject* const* arguments,
                           Py_ssize_t count, PyObject* keywords, PyObject** values) {
  const auto given = static_cast<std::size_t>(count);
  const std::size_t named =
      keywords == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(keywords));
  bool fits = given <= signature.positional;
  for (std::size_t i = 0; fits && i < given; ++i) values[i] = arguments[i];
  for (std::size_t i = 0; fits && i < named; ++i) {
    PyObject* const keyword = PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(i));
    std::size_t at = 0;
    while (at < signature.names.size() &&
           PyUnicode_CompareWithASCIIString(keyword, signature.names[at]) != 0)
      ++at;
    fits = at < signature.names.size() && values[at] == nullptr;
    if (fits) values[at] = arguments[given + i];
  }
  for (std::size_t i = given; fits && i < signature.required; ++i) fits = values[i] != nullptr;
  if (!fits) PyErr_SetString(PyExc_TypeError, signature.usage);
  return fits;
}

// The C++ object of a method's `self`. If its __init__ did not run, as in a subclass that forgets
// to call it, sets a TypeError and returns null.
template <typename T>
T* SelfOf(PyObject* self) {
  if (nanobind::inst_ready(self)) [[likely]]
    return nanobind::inst_ptr<T>(self);
  PyErr_Format(PyExc_TypeError, "%s.__init__ was not called: a subclass calls super().__init__()",
               TypeNameOf(self).c_str());
  return nullptr;
}

// Runs `call`, which returns a new reference, and raises its exceptions in Python.
template <typename Call>
PyObject* Raising(const Call& call) noexcept {
  try {
    return call();
  } catch (nanobind::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

using FastFunction = PyObject* (*)(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                                   PyObject* keywords) noexcept;

inline PyMethodDef FastMethod(const char* name, FastFunction function, const char* doc) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

// Adds a method to a type. `method` must live as long as the type.
inline void AddMethod(nanobind::handle type, PyMethodDef& method) {
  type.attr(method.ml_name) =
      nanobind::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method));
}

}  // namespace sightline::python
