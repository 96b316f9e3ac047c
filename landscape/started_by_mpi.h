// Whether MPI started this process; told without MPI, so also by a program that is built without
// it.
#pragma once

namespace sightline::landscape {

// Whether mpirun, srun or the like started this process as one of several. Any thread.
bool IsStartedByMpi();

}  // namespace sightline::landscape
