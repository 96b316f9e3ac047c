// Recording calls that do not raise if a value cannot be converted, but count it.
#pragma once

#include <string>
#include <string_view>

#include "sightline/python/native/common/failures.h"
#include "sightline/recorder/recorder_access.h"

namespace sightline::python {

// Runs `convert`, which records something, and returns its result. If it throws, `recorder`, unless
// it is null, counts a refused value: "<call>(<tag>, step <step>): <why>". Exceptions that `except
// Exception` does not catch, such as KeyboardInterrupt, go on to the caller. For `tag` see
// CallText.
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
  if (recorder == nullptr) return false;  // The monitor is disabled.
  RecorderAccess::Refuse(
      *recorder, Status(StatusCode::kInvalidArgument, CallText(call, tag, step) + ": " + why),
      CallText(call, tag, nb::handle()) + cause);
  return false;
}

}  // namespace sightline::python
