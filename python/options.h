// Options: keyword arguments to the options of recorder/ and collectors/. The names are C++'s.
//
// Everything that is wrong is found before anything is reported: one ValueError names each keyword,
// its value and what is allowed.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "sightline/collectors/summary_options.h"
#include "sightline/collectors/train_info.h"
#include "sightline/recorder/recorder_options.h"

namespace sightline::python {

// Each raises ValueError with every fault.
RecorderOptions ToRecorderOptions(nanobind::handle keywords);
// The callables on_nonfinite and say keep the Python functions; they take the GIL when called, and
// what those raise goes to sys.unraisablehook. The options must be destroyed under the GIL.
SummaryOptions ToSummaryOptions(nanobind::handle keywords);
TrainInfo ToTrainInfo(nanobind::handle keywords);

// A path given as str, bytes or os.PathLike; raises TypeError for anything else.
std::string ToPath(nanobind::handle path);

}  // namespace sightline::python
