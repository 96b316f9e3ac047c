// What a session ran on: its command, directory, commit, host and so on. The Python package writes
// this beside the event files when a session begins, as a JSON object that only its owner may read
// (docs/runs.md).
//
// Private to this folder. A plain function, callable from any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/runs/model/run.h"

namespace sightline {

// Adds the facts of one session to `lineage`, under names that begin with "run.": those of the last
// session of the lowest rank that has some. A name that `lineage` has already keeps its value.
// `with_facts`: the sessions that have a file of facts in `directory`. A file that cannot be read,
// is larger than kMostFactBytes or is no JSON object adds nothing.
void AddRunFacts(FileSystem& file_system, const std::string& directory,
                 std::span<const RunSession> sessions, const std::vector<std::string>& with_facts,
                 RunLineage& lineage);
inline constexpr std::size_t kMostFactBytes = std::size_t{1} << 20U;

// The whole file, or "" if it cannot be read or is larger than kMostFactBytes.
std::string ReadFactsFile(FileSystem& file_system, const std::string& path);

}  // namespace sightline
