#include "sightline/landscape/started_by_mpi.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sightline::landscape {

bool IsStartedByMpi() {
  // Set by Open MPI; by MPICH and Slurm; by Intel MPI.
  constexpr std::array kSizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  return std::ranges::any_of(kSizes, [](const char* name) {
    const char* size = std::getenv(name);
    return size != nullptr && std::atoi(size) > 1;
  });
}

}  // namespace sightline::landscape
