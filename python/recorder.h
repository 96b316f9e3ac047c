// PyRecorder: the Recorder of Python. Everything here needs the GIL; calls that may take long let
// it go while they do.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "sightline/python/failures.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {

struct PyRecorder {
  std::shared_ptr<Recorder> core;
  bool refusals_told = false;  // By close.
};

void BindRecorder(nanobind::module_& module);

}  // namespace sightline::python
