// Small questions about Python's objects, by functions that the stable interface of CPython has as
// well: it has no macro that reads an object's fields.
//
// Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline::python {

// The bytes of a bytes object, valid as long as it is.
inline std::string_view BytesView(nanobind::handle bytes) {
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

// The name of a type, without its module; "?" if it cannot be found out. Never raises.
std::string NameOf(nanobind::handle type);

// The same for the type of an object.
inline std::string TypeNameOf(nanobind::handle object) { return NameOf(object.type()); }

}  // namespace sightline::python
