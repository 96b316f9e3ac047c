#include "sightline/python/native/common/path.h"

#include "sightline/python/native/common/objects.h"

namespace sightline::python {

namespace nb = nanobind;

std::string ToPath(nb::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nb::python_error();
  const nb::object owner = nb::steal(bytes);
  return std::string(BytesView(owner));
}

nb::object FromPath(const std::string& path) {
  PyObject* const text =
      PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size()));
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

}  // namespace sightline::python
