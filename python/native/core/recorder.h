// PyRecorder: Python's Recorder. Everything here needs the GIL; calls that may take long release it
// meanwhile.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "sightline/python/native/common/failures.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {

struct PyRecorder {
  std::shared_ptr<Recorder> core;
  bool refusals_told = false;  // Whether close has reported refusals.
};

void BindRecorder(nanobind::module_& module);

}  // namespace sightline::python
