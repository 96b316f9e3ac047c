// A surface over the ranks of an MPI job: rank 0 owns the journal and hands points out, all ranks
// evaluate them.
//
//   MpiJob job;   // mpirun -n N ...
//   options.evaluate = [&](auto&... all) { return job.Evaluate(all...); };
//   options.is_helper = job.rank() != 0;
//   auto made = GenerateLandscapes(metadata, loss, options);
//   if (!made) job.Abort(2);
//
// Every rank makes the same planes from the same checkpoints, and asks rank 0 for small batches of
// points. If a rank is lost, mpirun ends the job; the next start continues it. One job in a
// process, on one thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/landscape/surface/surface.h"

namespace sightline::landscape {

class MpiJob {
 public:
  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Like EvaluateSurface. Every rank must call it at the same time. Rank 0 uses options.workers
  // threads, the others one. On ranks other than 0, `known` and options.on_point are not used. If
  // the loss fails on any rank, rank 0's call fails.
  Status Evaluate(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                  PointValues& known);

  // Ends all ranks, and this process.
  [[noreturn]] void Abort(int exit_code);

 private:
  Status HandOut(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                 PointValues& known) const;
  Status Help(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options) const;

  // The tag of this surface's messages. A helper that has finished a surface asks for points of the
  // next one while others still return their last points of this one; rank 0 must tell them apart.
  int surface_ = 0;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace sightline::landscape
