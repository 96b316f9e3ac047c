// What SwanLab writes beside a run's `.swanlab` file, in the folder `files` (docs/import.md): its
// configuration, and what it ran on.
//
// Private to this folder. A plain function, callable from any thread.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/runs/model/run.h"

namespace sightline {

// Adds the settings of `<directory>/files/config.yaml`, and the facts of swanlab-metadata.json
// (those of SwanLab 0.7 and of 0.10) as run.<name>. Not requirements.txt, which may be of another
// Python than the program's. A name that `lineage` has already keeps its value. A file that is
// missing, cannot be read, is larger than kMostFactBytes, or is of another form adds nothing.
void AddSwanLabFiles(FileSystem& file_system, const std::string& directory, RunLineage& lineage);

}  // namespace sightline
