// The folder that `sightline run` records into. Reads the environment: not while another thread
// changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"

namespace sightline {

struct RunFolder {
  std::string path;       // Absolute.
  bool is_named = false;  // By the user, who need not be told.
};

// Makes the folder:
// - `directory`, if it is not empty;
// - else ./sightline_runs/NAME, where `name` is NAME if it is not empty;
// - else the job's, which is the same on all hosts: that of SLURM (slurm_JOB or slurm_JOB_STEP),
//   of torchrun with an --rdzv-id (torch_ID) or of MPI (mpi_ID);
// - else a new one, named after the time.
Result<RunFolder> MakeRunFolder(const Clock& clock, const std::string& directory,
                                const std::string& name);

// The name of this process's console: of a rank if a launcher started it as one of several.
std::string ConsoleNameOfProcess();

}  // namespace sightline
