// The scalars of runs as CSV (RFC 4180; numbers and quoting as in csv.h).
//
//   long   run,rank,tag,step,wall_time,value              a row a point, every point
//   wide   run,rank,step,wall_time,<tag>,<tag>,...        a row a step: of each tag its last value
//
// Of wide, a cell without a value is empty and wall_time is the latest of the row's. Its header
// needs the tags of all runs: they are asked for first (AddTags), then the runs come.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sightline/export/run_export.h"

namespace sightline {

// Into `file`, which Finish closes.
std::unique_ptr<RunWriter> MakeCsvWriter(std::unique_ptr<WritableFile> file);

// Only for wide: the tags of a run's scalars that `selection` selects, with a point, into `tags`,
// whose values number them in their order at MakeWideCsvWriter.
void AddTags(const Run& run, const ExportSelection& selection,
             std::map<std::string, std::size_t>& tags);
std::unique_ptr<RunWriter> MakeWideCsvWriter(std::unique_ptr<WritableFile> file,
                                             std::map<std::string, std::size_t> tags);

}  // namespace sightline
