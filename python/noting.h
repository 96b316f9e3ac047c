// Recording calls that count what cannot be converted, in place of raising.
#pragma once

#include <string>
#include <string_view>

#include "sightline/python/failures.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {

// Runs `convert`, which records something, and returns what it does. What it throws is counted by
// `recorder`, unless that is null, as refused: "<call>(<tag>, step <step>): <why>"; an exception
// that no except Exception would catch, such as KeyboardInterrupt, goes on to the caller. `tag`: as
// CallText's.
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
