// Tells whether MPI started this process. It reads environment variables, and so needs no MPI.
#pragma once

namespace sightline::landscape {

// True if mpirun, srun or the like started this process as one of several. Any thread.
bool IsStartedByMpi();

}  // namespace sightline::landscape
