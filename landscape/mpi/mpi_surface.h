// A surface over the ranks of an MPI job: rank 0 owns the journal and hands points out, all ranks
// evaluate them.
//
//   MpiJob job;   // mpirun -n N ...
//   options.evaluate = [&](auto&... all) { return job.Evaluate(all...); };
//   options.is_helper = job.rank() != 0;
//   auto made = GenerateLandscapes(metadata, loss, options);
//   if (!made) job.Abort(2);
//
// Every rank makes the same planes from the same checkpoints, and pulls small batches of points
// from rank 0. A rank that is lost ends the job, as mpirun does it; the next start goes on where it
// was. One job a process, on one thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/landscape/surface.h"

namespace sightline::landscape {

class MpiJob {
 public:
  // Whether this process was started by mpirun, srun or the like, as one of several.
  static bool IsStartedByMpi();

  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // As EvaluateSurface, which every rank calls at the same time; options.workers threads on rank 0,
  // one on each other. On ranks other than 0 `known` and options.on_point are not used. A loss that
  // fails on any rank fails rank 0's call.
  Status Evaluate(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                  PointValues& known);

  // Ends all ranks, and this process.
  [[noreturn]] void Abort(int exit_code);

 private:
  Status HandOut(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                 PointValues& known) const;
  Status Help(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options) const;

  // The tag of this surface's messages. A helper that has done with a surface asks for points of
  // the next one while others still bring their last ones of this: rank 0 must not take one for the
  // other.
  int surface_ = 0;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace sightline::landscape
