// SurfaceWork: hands out the points of a surface that are still to be evaluated, to threads of this
// process (EvaluateSurface) or to ranks of an MPI job (mpi/mpi_surface.h).
//
//   SurfaceWork work(plane, options, known);
//   for (const std::size_t index : work.Take(1)) work.Give(index, evaluator.At(index));
//   Status status = work.status();
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/surface/surface.h"

namespace sightline::landscape {

// Callable from any thread.
class SurfaceWork {
 public:
  // All three must outlive it.
  SurfaceWork(const Plane& plane, const SurfaceOptions& options, PointValues& known);

  // The next points, at most `count`; none if all are taken or the evaluation has ended.
  std::vector<std::size_t> Take(std::size_t count);

  // Takes what was measured at a point, or the error that ends the evaluation.
  void Give(std::size_t index, Result<std::vector<double>> measured);

  // The first error.
  Status status();
  const SurfaceOptions& options() const { return options_; }
  std::size_t open_count() const { return open_.size(); }

 private:
  Status Keep(std::size_t index, std::vector<double> values);

  const Plane& plane_;
  const SurfaceOptions& options_;
  std::vector<std::size_t> open_;
  std::mutex mutex_;  // Guards all below.
  std::size_t next_ = 0;
  Status status_;
  PointValues& known_;
};

// Calls the loss for one worker, and forms the parameters of all points in one buffer. One thread.
class PointEvaluator {
 public:
  // `last`: the last checkpoint's parameters. All but the options must outlive it; of these it uses
  // the buffer.
  PointEvaluator(const Plane& plane, std::span<const float> last, const LossFunction& loss,
                 int worker, const SurfaceOptions& options);

  // The result of the loss; an exception becomes an error.
  Result<std::vector<double>> At(std::size_t index);

 private:
  const Plane& plane_;
  const std::span<const float> last_;
  const LossFunction& loss_;
  const int worker_;
  std::vector<float> own_;  // Used if the options have no buffer.
  std::span<float> values_;
};

// The last checkpoint's parameters.
std::vector<float> LastParameters(const Plane& plane);

// Evaluates, as `worker`, what `work` hands out until there is nothing left.
void Evaluate(const Plane& plane, std::span<const float> last, const LossFunction& loss, int worker,
              SurfaceWork& work);
// The same on a thread for each worker from `first` to `end` - 1. Join them.
std::vector<std::thread> StartWorkers(const Plane& plane, std::span<const float> last,
                                      const LossFunction& loss, int first, int end,
                                      SurfaceWork& work);

}  // namespace sightline::landscape
