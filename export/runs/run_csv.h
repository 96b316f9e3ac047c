// The scalars of runs as CSV (RFC 4180; numbers and quoting as in csv.h).
//
//   long   run,rank,tag,step,wall_time,value              a row for each point
//   wide   run,rank,step,wall_time,<tag>,<tag>,...        a row for each step, with
//                                                         the last value of each tag
//
// In the wide form a cell without a value is empty, and wall_time is the latest of the row. Its
// header needs the tags of all runs: call AddTags for each run before the first is written.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sightline/export/runs/run_export.h"

namespace sightline {

// Writes to `file`, which Finish closes.
std::unique_ptr<RunWriter> MakeCsvWriter(std::unique_ptr<WritableFile> file);

// Only for the wide form: adds to `tags` the tags of the run's scalars of which `selection` selects
// a point. MakeWideCsvWriter numbers the values of `tags` in the order of the tags.
void AddTags(const Run& run, const ExportSelection& selection,
             std::map<std::string, std::size_t>& tags);
std::unique_ptr<RunWriter> MakeWideCsvWriter(std::unique_ptr<WritableFile> file,
                                             std::map<std::string, std::size_t> tags);

}  // namespace sightline
