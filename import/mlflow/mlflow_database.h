// Imports MLflow's tracking database, mlflow.db: every run of every experiment becomes a folder of
// event files.
//
//   const auto report = ImportMlflowDatabase("mlflow.db", "imported");
//
// The schema is that of MLflow 3.18 (mlflow/store/tracking/dbmodels/models.py). Its tables
// experiments, runs, metrics, params and tags are read; the others are counted. Columns are found
// by their names, so other versions are read as far as they have those that are needed.
//
// A plain function, callable from any thread.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/import/mlflow/import_report.h"

namespace sightline {

// `folder` exists and is empty. After an error it holds what was written before it.
//
// The database is read without a lock and is never changed. Errors name it: kInvalidArgument if
// MLflow did not write it or it has another schema; kUnavailable if another program writes it;
// kDataLoss if it is damaged; those of the output.
Result<ImportReport> ImportMlflowDatabase(const std::string& path, const std::string& folder,
                                          FileSystem& file_system = FileSystem::Local());

}  // namespace sightline
