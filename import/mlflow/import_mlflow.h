// Imports what MLflow recorded: its database (mlflow_database.h) or its folder of files
// (mlflow_folder.h).
//
//   const auto report = ImportMlflow("mlruns", "imported");
//
// A plain function, callable from any thread.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/import/mlflow/import_report.h"

namespace sightline {

// Each run becomes a folder of event files below `folder`, which exists and is empty. After an
// error it holds what was written before it. Errors name `path`: those of either store.
Result<ImportReport> ImportMlflow(const std::string& path, const std::string& folder,
                                  FileSystem& file_system = FileSystem::Local());

}  // namespace sightline
