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

// The values that did not get as far as the recorder because they cannot be converted.
class BadValues {
 public:
  // `recorder`, which may be null, tells whether it saw an error before.
  void Note(const Recorder* recorder, std::string message);

  // `stats` with these values counted as invalid, and named when they were the first to go wrong.
  RecorderStats AddTo(RecorderStats stats) const;

 private:
  std::uint64_t count_ = 0;
  Status first_;
  bool first_of_all_ = false;
};

// "add_scalar('loss', step 3)". An invalid handle for a call without tag.
std::string CallText(std::string_view call, nb::handle tag, nb::handle step);
std::string CallText(std::string_view call, std::string_view tag, nb::handle step);

// Runs `convert`, which records something, and returns what it does. What it throws is noted as
// "<call>(<tag>, step <step>): <why>"; an exception that no except Exception would catch, such as
// KeyboardInterrupt, goes on to the caller. `tag`: as CallText's.
template <typename TagText, typename Convert>
bool Noting(BadValues& bad, const Recorder* recorder, std::string_view call, const TagText& tag,
            nb::handle step, const Convert& convert) {
  std::string why;
  try {
    return convert();
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    why = Describe(error);
  } catch (const std::exception& error) {
    why = error.what();
  }
  bad.Note(recorder, CallText(call, tag, step) + ": " + why);
  return false;
}

}  // namespace sightline::python
