// Options: converts keyword arguments to the options of recorder/ and collectors/. The reader is
// that of YAML files (collectors/config/option_reader.h), so names, rules and messages are the
// same.
//
// All errors are reported together: one ValueError names each keyword, its value and what is
// allowed.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "sightline/collectors/collect/train_info.h"
#include "sightline/collectors/config/summary_config.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline::python {

// Each raises ValueError with every fault, including those of the directory (CheckLocalPath).
RecorderOptions ToRecorderOptions(const std::string& directory, nanobind::handle keywords);
// The callables on_nonfinite, save_checkpoint and say keep the Python functions; they take the GIL
// when they are called and destroyed. Exceptions go to sys.unraisablehook, except those of
// save_checkpoint, which become its Status. If summary_dir is empty, the keywords have it.
SummaryConfig ToSummaryConfig(const std::string& summary_dir, nanobind::handle keywords);
TrainInfo ToTrainInfo(nanobind::handle keywords);

}  // namespace sightline::python
