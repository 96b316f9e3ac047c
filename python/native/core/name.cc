#include "sightline/python/native/core/name.h"

#include <stdexcept>

#include "sightline/python/native/common/objects.h"

namespace sightline::python {

namespace nb = nanobind;

std::string_view ToName(nb::handle name, std::list<std::string>& storage) {
  if (!PyUnicode_Check(name.ptr()))
    throw std::invalid_argument("a name is a str, not " + TypeNameOf(name));
  Py_ssize_t size = 0;
  if (const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), &size))
    return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(name.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  return storage.emplace_back(BytesView(bytes));
}

}  // namespace sightline::python
