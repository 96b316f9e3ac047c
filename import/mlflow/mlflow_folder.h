// Imports MLflow's folder of files, mlruns: every run of every experiment becomes a folder of event
// files.
//
//   const auto report = ImportMlflowFolder("mlruns", "imported");
//
// The form is that of MLflow 3.18 (mlflow/store/tracking/file_store.py):
//
//   <experiment>/meta.yaml                      its name
//   <experiment>/<run>/meta.yaml                name, status, times
//   <experiment>/<run>/metrics/<name>           a line for each value (metric_line.h)
//   <experiment>/<run>/params/<name>, tags/<name>   the value is the file
//   .trash/<experiment>                         a deleted one
//
// Names with '/' are folders in folders. Links to folders are not followed. Metrics are read in
// pieces, so memory does not grow with them.
//
// A plain function, callable from any thread.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/import/mlflow/import_report.h"

namespace sightline {

// `folder` exists and is empty. After an error it holds what was written before it. No file of the
// store is changed. A run whose meta.yaml is damaged is left out, with a note. Errors:
// kInvalidArgument if it is no such folder; those of files that cannot be read, and of the output.
Result<ImportReport> ImportMlflowFolder(const std::string& path, const std::string& folder,
                                        FileSystem& file_system = FileSystem::Local());

}  // namespace sightline
