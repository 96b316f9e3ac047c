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
#include "sightline/recorder/recorder.h"

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

// Runs `convert`, which records something, and returns what it does. What it throws is counted by
// `recorder`, unless that is null, as refused: "<call>(<tag>, step <step>): <why>"; an exception that no except Exception would catch, such as
// KeyboardInterrupt, goes on to the caller. `tag`: as CallText's.
template <typename TagText, typename Convert>
bool Noting(Recorder* recorder, std::string_view call, const TagText& tag, nb::handle step,
            const Convert& convert) {
  std::string why;
  std::string cause;  // The same at every step.
  try {
    return convert();
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    why = Describe(error);
    cause = why.substr(0, why.find(':'));
  } catch (const std::exception& error) {
    why = cause = error.what();
  }
  if (recorder == nullptr) return false;  // Of a monitor that is disabled.
  recorder->Refuse(Status(StatusCode::kInvalidArgument, CallText(call, tag, step) + ": " + why),
                   CallText(call, tag, nb::handle()) + cause);
  return false;
}

}  // namespace sightline::python
