// Options: keyword arguments to the options of recorder/ and collectors/, by the reader that YAML
// files have too (collectors/option_reader.h), so names, rules and messages are the same.
//
// Everything that is wrong is found before anything is reported: one ValueError names each keyword,
// its value and what is allowed.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "sightline/collectors/summary_config.h"
#include "sightline/collectors/train_info.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline::python {

// Each raises ValueError with every fault, the directory's included (CheckLocalPath).
RecorderOptions ToRecorderOptions(const std::string& directory, nanobind::handle keywords);
// The callables on_nonfinite, save_checkpoint and say keep the Python functions; they take the GIL
// when called and when destroyed. What they raise goes to sys.unraisablehook, but of
// save_checkpoint it is the Status.
// An empty summary_dir: that of the keywords.
SummaryConfig ToSummaryConfig(const std::string& summary_dir, nanobind::handle keywords);
TrainInfo ToTrainInfo(nanobind::handle keywords);

}  // namespace sightline::python
