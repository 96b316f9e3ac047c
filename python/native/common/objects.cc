#include "sightline/python/native/common/objects.h"

namespace sightline::python {

std::string NameOf(nanobind::handle type) {
  const nanobind::object name = nanobind::steal(PyObject_GetAttrString(type.ptr(), "__name__"));
  const char* const text = name.is_valid() && PyUnicode_Check(name.ptr()) != 0
                               ? PyUnicode_AsUTF8AndSize(name.ptr(), nullptr)
                               : nullptr;
  if (text != nullptr) return text;
  PyErr_Clear();
  return "?";
}

}  // namespace sightline::python
