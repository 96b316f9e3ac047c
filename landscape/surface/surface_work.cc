#include "sightline/landscape/surface/surface_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace sightline::landscape {

SurfaceWork::SurfaceWork(const Plane& plane, const SurfaceOptions& options, PointValues& known)
    : plane_(plane), options_(options), known_(known) {
  for (const std::size_t index : EvaluationOrder(plane))
    if (!known.contains(index)) open_.push_back(index);
}

std::vector<std::size_t> SurfaceWork::Take(std::size_t count) {
  const std::lock_guard lock(mutex_);
  if (status_.ok() && next_ < open_.size() && options_.cancelled != nullptr &&
      options_.cancelled->load())
    status_ = Status(StatusCode::kUnavailable, plane_.tag + ": cancelled");
  if (!status_.ok()) return {};
  const std::size_t end = std::min(open_.size(), next_ + count);
  std::vector<std::size_t> taken(open_.begin() + static_cast<std::ptrdiff_t>(next_),
                                 open_.begin() + static_cast<std::ptrdiff_t>(end));
  next_ = end;
  return taken;
}

void SurfaceWork::Give(std::size_t index, Result<std::vector<double>> measured) {
  const std::lock_guard lock(mutex_);
  const Status status = measured ? Keep(index, *std::move(measured)) : measured.error();
  if (status.ok() || !status_.ok()) return;
  const PlanePoint point = PointAt(plane_, index);
  status_ = status.WithContext(fmt::format("{} at ({:.6g}, {:.6g})", plane_.tag, point.x, point.y));
}

Status SurfaceWork::Keep(std::size_t index, std::vector<double> values) {
  SIGHTLINE_RETURN_IF_ERROR(CheckPointValues(known_, values));
  if (options_.on_point) SIGHTLINE_RETURN_IF_ERROR(options_.on_point(index, values));
  known_.emplace(index, std::move(values));
  return {};
}

Status SurfaceWork::status() {
  const std::lock_guard lock(mutex_);
  return status_;
}

PointEvaluator::PointEvaluator(const Plane& plane, std::span<const float> last,
                               const LossFunction& loss, int worker, const SurfaceOptions& options)
    : plane_(plane), last_(last), loss_(loss), worker_(worker) {
  if (options.buffer) values_ = options.buffer(plane.parameters, worker);
  if (values_.size() == last.size()) return;
  own_.resize(last.size());
  values_ = own_;
}

Result<std::vector<double>> PointEvaluator::At(std::size_t index) {
  const PlanePoint point = PointAt(plane_, index);
  FormPoint(plane_, last_, point, values_);
  try {
    return loss_({point.x, point.y, values_, plane_.parameters, worker_});
  } catch (const std::exception& error) {
    return Error(StatusCode::kFailedPrecondition, fmt::format("the loss failed: {}", error.what()));
  } catch (...) {
    return Error(StatusCode::kFailedPrecondition, "the loss failed");
  }
}

std::vector<float> LastParameters(const Plane& plane) {
  std::vector<float> last(plane.parameters.size());
  plane.parameters.Read(plane.parameters.checkpoint_count() - 1, 0, std::span<float>(last));
  return last;
}

void Evaluate(const Plane& plane, std::span<const float> last, const LossFunction& loss, int worker,
              SurfaceWork& work) {
  PointEvaluator evaluator(plane, last, loss, worker, work.options());
  for (auto taken = work.Take(1); !taken.empty(); taken = work.Take(1))
    work.Give(taken.front(), evaluator.At(taken.front()));
}

std::vector<std::thread> StartWorkers(const Plane& plane, std::span<const float> last,
                                      const LossFunction& loss, int first, int end,
                                      SurfaceWork& work) {
  std::vector<std::thread> threads;
  for (int worker = first; worker < end; ++worker) {
    threads.emplace_back(
        [&plane, last, &loss, worker, &work] { Evaluate(plane, last, loss, worker, work); });
  }
  return threads;
}

}  // namespace sightline::landscape
