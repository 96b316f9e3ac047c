// What goes wrong between Python and the library: a Status becomes an exception where the caller
// can act, and a bad value of a recording call becomes a count, since training goes on.
//
// Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::python {

namespace nb = nanobind;

// Raises the built-in exception that fits the code: ValueError for an invalid argument,
// PermissionError, FileNotFoundError, FileExistsError, otherwise OSError or RuntimeError.
void RaiseIfError(const Status& status);

// The same for what a directory refused, after the options were found right: an OSError.
[[noreturn]] void RaiseOsError(const Status& status);

// A str of the bytes of a message; what is no UTF-8 becomes \xNN. Raises MemoryError only.
nb::object FromUtf8(std::string_view text);

// "TypeError: must be real number, not str".
std::string Describe(const nb::python_error& error);

// repr(object), at most 100 bytes of it; never raises.
std::string Quote(nb::handle object);

// A RuntimeWarning at the line of the program that is running; needs no GIL. Where warnings are
// errors it is printed as one that is ignored, since training goes on.
void Warn(std::string_view line);

// "add_scalar('loss', step 3)". An invalid handle for a call without tag.
std::string CallText(std::string_view call, nb::handle tag, nb::handle step);
std::string CallText(std::string_view call, std::string_view tag, nb::handle step);

}  // namespace sightline::python
