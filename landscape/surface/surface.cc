#include "sightline/landscape/surface/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/landscape/directions/vector_kernels.h"
#include "sightline/recorder/tensor/float_kernels.h"

namespace sightline::landscape {
namespace {

constexpr int kMaxWorkers = 1024;

// Hands the points that are not known yet to the workers. Any thread.
class OpenPoints {
 public:
  // All three must outlive it.
  OpenPoints(const Plane& plane, const SurfaceOptions& options, PointValues& known)
      : plane_(plane), options_(options), known_(known) {
    for (const std::size_t index : EvaluationOrder(plane))
      if (!known.contains(index)) points_.push_back(index);
  }

  std::size_t count() const { return points_.size(); }

  // The next point; nullopt if all are taken or the evaluation has ended.
  std::optional<std::size_t> Take() {
    const std::lock_guard lock(mutex_);
    if (!status_.ok() || next_ == points_.size()) return std::nullopt;
    if (options_.cancelled != nullptr && options_.cancelled->load()) {
      status_ = Status(StatusCode::kUnavailable, plane_.tag + ": cancelled");
      return std::nullopt;
    }
    return points_[next_++];
  }

  // Takes the values of a point, or the error that ends the evaluation.
  void Give(std::size_t index, Result<std::vector<double>> measured) {
    const std::lock_guard lock(mutex_);
    const Status status = measured ? Add(index, *std::move(measured)) : measured.error();
    if (status.ok() || !status_.ok()) return;
    const PlanePoint point = PointAt(plane_, index);
    status_ =
        status.WithContext(fmt::format("{} at ({:.6g}, {:.6g})", plane_.tag, point.x, point.y));
  }

  // The first error. Call it after all workers have ended.
  const Status& status() const { return status_; }

 private:
  Status Add(std::size_t index, std::vector<double> values) {
    SIGHTLINE_RETURN_IF_ERROR(CheckPointValues(known_, values));
    if (options_.on_point) SIGHTLINE_RETURN_IF_ERROR(options_.on_point(index, values));
    known_.emplace(index, std::move(values));
    return {};
  }

  const Plane& plane_;
  const SurfaceOptions& options_;
  std::vector<std::size_t> points_;
  std::mutex mutex_;  // Guards the members below.
  std::size_t next_ = 0;
  Status status_;
  PointValues& known_;
};

// Calls the loss for one worker, and forms the parameters of all its points in one buffer.
class PointEvaluator {
 public:
  // `last`: the last checkpoint's parameters.
  PointEvaluator(const Plane& plane, std::span<const float> last, const LossFunction& loss,
                 int worker, const SurfaceOptions& options)
      : plane_(plane), last_(last), loss_(loss), worker_(worker) {
    if (options.buffer) values_ = options.buffer(plane.parameters, worker);
    if (values_.size() == last.size()) return;
    own_.resize(last.size());
    values_ = own_;
  }

  // Returns the result of the loss; an exception becomes an error.
  Result<std::vector<double>> At(std::size_t index) {
    const PlanePoint point = PointAt(plane_, index);
    FormPoint(plane_, last_, point, values_);
    try {
      return loss_({point.x, point.y, values_, plane_.parameters, worker_});
    } catch (const std::exception& error) {
      return Error(StatusCode::kFailedPrecondition,
                   fmt::format("the loss failed: {}", error.what()));
    } catch (...) {
      return Error(StatusCode::kFailedPrecondition, "the loss failed");
    }
  }

 private:
  const Plane& plane_;
  const std::span<const float> last_;
  const LossFunction& loss_;
  const int worker_;
  std::vector<float> own_;  // Used if the options have no buffer.
  std::span<float> values_;
};

}  // namespace

std::size_t PointCount(const Plane& plane) {
  std::size_t count = plane.x.size() * plane.y.size() + plane.trajectory.x.size();
  for (const LandscapeOutline::Line& line : plane.lines) count += line.at.size();
  return count;
}

PlanePoint PointAt(const Plane& plane, std::size_t index) {
  const std::size_t grid = plane.x.size() * plane.y.size();
  if (index < grid) return {plane.x[index % plane.x.size()], plane.y[index / plane.x.size()]};
  index -= grid;
  if (index < plane.trajectory.x.size())
    return {plane.trajectory.x[index], plane.trajectory.y[index]};
  index -= plane.trajectory.x.size();
  auto line = plane.lines.begin();
  for (; index >= line->at.size(); ++line) index -= line->at.size();
  const double at = line->at[index];
  if (line->along == kAlongCheckpoints) return {at, 0, true};
  return line->along == kAlongFirst ? PlanePoint{at, 0} : PlanePoint{0, at};
}

// Between checkpoints: last + (1 - x) * (first - last).
void FormPoint(const Plane& plane, std::span<const float> last, const PlanePoint& point,
               std::span<float> out) {
  const ScopedFloatEnvironment environment;
  const std::size_t n = out.size();
  if (point.is_between_checkpoints) {
    const float* way = plane.checkpoint_difference.data();
    FormPoint(last.data(), way, way, 1 - point.x, 0, out.data(), n);
    return;
  }
  FormPoint(last.data(), plane.directions.first.data(), plane.directions.second.data(), point.x,
            point.y, out.data(), n);
}

std::vector<std::size_t> EvaluationOrder(const Plane& plane) {
  const std::size_t width = plane.x.size();
  const std::size_t height = plane.y.size();
  std::vector<std::size_t> order;
  order.reserve(PointCount(plane));
  const std::size_t lines = width * height + plane.trajectory.x.size();
  for (std::size_t i = width * height; i < lines; ++i) order.push_back(i);
  const std::size_t coarsest = std::bit_floor(std::max({width, height, std::size_t{1}}));
  for (std::size_t stride = coarsest; stride > 0; stride /= 2) {
    for (std::size_t y = 0; y < height; y += stride) {
      for (std::size_t x = 0; x < width; x += stride) {
        const bool before = stride < coarsest && x % (2 * stride) == 0 && y % (2 * stride) == 0;
        if (!before) order.push_back(y * width + x);
      }
    }
  }
  for (std::size_t i = lines; i < PointCount(plane); ++i) order.push_back(i);
  return order;
}

Status CheckPointValues(const PointValues& known, const std::vector<double>& values) {
  const std::size_t expected = known.empty() ? values.size() : known.begin()->second.size();
  if (!values.empty() && values.size() == expected) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("the loss returned {} numbers, but {} were expected", values.size(),
                            std::max<std::size_t>(1, expected)));
}

Status EvaluateSurface(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                       PointValues& known) {
  if (options.workers < 1 || options.workers > kMaxWorkers) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("workers is {}, but must be from 1 to {}", options.workers, kMaxWorkers));
  }
  OpenPoints open(plane, options, known);
  if (open.count() == 0) return {};
  std::vector<float> last(plane.parameters.size());
  plane.parameters.Read(plane.parameters.checkpoint_count() - 1, 0, std::span<float>(last));
  const auto workers =
      std::min<std::size_t>(static_cast<std::size_t>(options.workers), open.count());
  ForEachInParallel(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    auto index = open.Take();
    if (!index) return;
    PointEvaluator evaluator(plane, last, loss, static_cast<int>(worker), options);
    for (; index; index = open.Take()) open.Give(*index, evaluator.At(*index));
  });
  return open.status();
}

}  // namespace sightline::landscape
