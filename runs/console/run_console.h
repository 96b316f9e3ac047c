// Which console belongs to a run, and where in it a step is. Plain functions, callable from any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/run.h"

namespace sightline {

struct RunConsole {
  std::string folder;
  std::vector<std::optional<std::int64_t>> ranks;  // ConsoleRanks; not empty.
  std::string name = {};  // Of the file that another recorder wrote; empty: ConsoleName.

  // The path of the console of one of `ranks`.
  std::string Path(std::optional<std::int64_t> rank) const;
};

// The consoles in `folder`. kNotFound if there are none.
Result<RunConsole> ConsoleIn(FileSystem& files, const std::string& folder);
// Those in the run's own directory, else in the folder of the `sightline run` that started it
// (lineage run.folder), else what W&B kept beside its file (files/output.log), which has no times.
// kNotFound if there is none, naming the folders.
Result<RunConsole> ConsoleOf(FileSystem& files, const Run& run);

// When the run recorded a scalar of `step`, or if it recorded none, the first one of later steps,
// in seconds since the Unix epoch. Those of IsOfCommand() do not count. None if no scalar has such
// a step. As few series as possible are loaded, since a run may have many.
std::optional<double> TimeOfStep(const Run& run, std::int64_t step);

}  // namespace sightline
