// Errors between Python and the library. If the caller can act, a Status becomes an exception. In a
// recording call a bad value is only counted, since training continues.
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

// Raises the built-in exception that fits the code: ValueError for an invalid argument;
// PermissionError, FileNotFoundError or FileExistsError; otherwise OSError or RuntimeError.
void RaiseIfError(const Status& status);

// The same for an error of a directory, once the options were found right: always an OSError.
[[noreturn]] void RaiseOsError(const Status& status);

// The text of a message as a str; bytes that are no UTF-8 become \xNN. Raises only MemoryError.
nb::object FromUtf8(std::string_view text);

// "TypeError: must be real number, not str".
std::string Describe(const nb::python_error& error);

// The first 100 bytes of repr(object); never raises.
std::string Quote(nb::handle object);

// Gives a RuntimeWarning at the line of the program that is running; needs no GIL. If warnings are
// errors, it is printed as an ignored exception, since training continues.
void Warn(std::string_view line);

// "add_scalar('loss', step 3)". `tag` is an invalid handle for a call without a tag.
std::string CallText(std::string_view call, nb::handle tag, nb::handle step);
std::string CallText(std::string_view call, std::string_view tag, nb::handle step);

}  // namespace sightline::python
