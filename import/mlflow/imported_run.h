// ImportedRun: a run of MLflow's, without its metrics, in the terms of our runs.
//
//   ImportedRun run{.id = "5f...", .experiment = "digits"};
//   AddParameter("lr", "0.1", run);
//   AddTag("mlflow.source.git.commit", "abc", run, report);
//   recorder.AddMessage("", 0, ValueKind::kCustomLineage, SerializeCustomLineage(LineageOf(run)));
//
// Both stores of MLflow, the database and the folder, make them. Plain data and plain functions;
// one thread. Private to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/import/mlflow/import_report.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline {

struct ImportedRun {
  std::string id = {};
  std::string name = {};
  std::string experiment = {};
  std::string status = {};  // As MLflow says it: "FINISHED".
  // In milliseconds since the Unix epoch; 0: unknown.
  std::int64_t started = 0;
  std::int64_t ended = 0;
  CustomLineage parameters = {};
  CustomLineage facts = {};  // Names "run.<...>" and "tags.<...>".
};

// MLflow keeps parameters as texts. One that is a number is a number here, unless it has leading
// zeros or is a whole number beyond 64 bits.
void AddParameter(std::string_view name, std::string_view text, ImportedRun& run);

// A tag of a user's is "tags.<name>". Of MLflow's own, those that say what a run ran on are facts
// (docs/runs.md); others are counted in the report. Secrets in an address are hidden.
void AddTag(std::string_view name, std::string_view text, ImportedRun& run, ImportReport& report);

// A fact that is a text; none if it is empty. The first of a name stays.
void AddFact(const char* name, std::string_view text, ImportedRun& run);

// The parameters; then the facts, of which none replaces a parameter: also "run.id", "run.name",
// "run.project" (the experiment) and "run.outcome" (the status: "finished", "failed").
CustomLineage LineageOf(const ImportedRun& run);

}  // namespace sightline
