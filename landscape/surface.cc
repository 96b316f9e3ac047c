#include "sightline/landscape/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "sightline/landscape/vector_kernels.h"
#include "sightline/recorder/tensor/float_kernels.h"

namespace sightline::landscape {
namespace {

constexpr int kMaxWorkers = 1024;

class Evaluation {
 public:
  Evaluation(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
             PointValues& known)
      : plane_(plane), loss_(loss), options_(options), known_(known) {
    for (const std::size_t index : EvaluationOrder(plane))
      if (!known.contains(index)) open_.push_back(index);
  }

  Status Run() {
    if (open_.empty()) return {};
    last_.resize(plane_.parameters.size());
    plane_.parameters.Read(plane_.parameters.checkpoint_count() - 1, 0, std::span<float>(last_));
    std::vector<std::thread> threads;
    const auto workers =
        std::min<std::size_t>(static_cast<std::size_t>(options_.workers), open_.size());
    for (std::size_t i = 1; i < workers; ++i)
      threads.emplace_back([this, i] { Work(static_cast<int>(i)); });
    Work(0);
    for (std::thread& thread : threads) thread.join();
    return status_;
  }

 private:
  // The next point; none when all are taken, or the evaluation has ended.
  std::optional<std::size_t> Take() {
    const std::lock_guard lock(mutex_);
    if (status_.ok() && next_ < open_.size() && options_.cancelled != nullptr &&
        options_.cancelled->load())
      status_ = Status(StatusCode::kUnavailable, plane_.tag + ": cancelled");
    if (!status_.ok() || next_ == open_.size()) return std::nullopt;
    return open_[next_++];
  }

  void Work(int worker) {
    std::vector<float> values(last_.size());
    while (const auto index = Take())
      if (!Evaluate(*index, worker, values)) return;
  }

  // False where the evaluation ends.
  bool Evaluate(std::size_t index, int worker, std::vector<float>& values) {
    const PlanePoint point = PointAt(plane_, index);
    {
      const ScopedFloatEnvironment environment;
      FormPoint(last_.data(), plane_.directions.first.data(), plane_.directions.second.data(),
                point.x, point.y, values.data(), values.size());
    }
    auto measured = Call({point.x, point.y, values, plane_.parameters, worker});
    const std::lock_guard lock(mutex_);
    Status status = measured ? Keep(index, *std::move(measured)) : measured.error();
    if (status.ok()) return true;
    if (status_.ok()) {
      status_ =
          status.WithContext(fmt::format("{} at ({:.6g}, {:.6g})", plane_.tag, point.x, point.y));
    }
    return false;
  }

  Result<std::vector<double>> Call(const PointParameters& point) const {
    try {
      return loss_(point);
    } catch (const std::exception& error) {
      return Error(StatusCode::kFailedPrecondition,
                   fmt::format("the loss failed: {}", error.what()));
    } catch (...) {
      return Error(StatusCode::kFailedPrecondition, "the loss failed");
    }
  }

  Status Keep(std::size_t index, std::vector<double> values) {
    SIGHTLINE_RETURN_IF_ERROR(CheckPointValues(known_, values));
    if (options_.on_point) SIGHTLINE_RETURN_IF_ERROR(options_.on_point(index, values));
    known_.emplace(index, std::move(values));
    return {};
  }

  const Plane& plane_;
  const LossFunction& loss_;
  const SurfaceOptions& options_;
  std::vector<std::size_t> open_;
  std::vector<float> last_;
  std::mutex mutex_;  // Guards all below.
  std::size_t next_ = 0;
  Status status_;
  PointValues& known_;
};

}  // namespace

std::size_t PointCount(const Plane& plane) {
  return plane.x.size() * plane.y.size() + plane.trajectory.x.size();
}

PlanePoint PointAt(const Plane& plane, std::size_t index) {
  const std::size_t grid = plane.x.size() * plane.y.size();
  if (index >= grid) return {plane.trajectory.x[index - grid], plane.trajectory.y[index - grid]};
  return {plane.x[index % plane.x.size()], plane.y[index / plane.x.size()]};
}

std::vector<std::size_t> EvaluationOrder(const Plane& plane) {
  const std::size_t width = plane.x.size();
  const std::size_t height = plane.y.size();
  std::vector<std::size_t> order;
  order.reserve(PointCount(plane));
  for (std::size_t i = width * height; i < PointCount(plane); ++i) order.push_back(i);
  const std::size_t coarsest = std::bit_floor(std::max({width, height, std::size_t{1}}));
  for (std::size_t stride = coarsest; stride > 0; stride /= 2) {
    for (std::size_t y = 0; y < height; y += stride) {
      for (std::size_t x = 0; x < width; x += stride) {
        const bool before = stride < coarsest && x % (2 * stride) == 0 && y % (2 * stride) == 0;
        if (!before) order.push_back(y * width + x);
      }
    }
  }
  return order;
}

Status CheckPointValues(const PointValues& known, const std::vector<double>& values) {
  const std::size_t expected = known.empty() ? values.size() : known.begin()->second.size();
  if (!values.empty() && values.size() == expected) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("the loss gave {} numbers, {} were expected", values.size(),
                            std::max<std::size_t>(1, expected)));
}

Status EvaluateSurface(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                       PointValues& known) {
  if (options.workers < 1 || options.workers > kMaxWorkers) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("workers is {}, but must be from 1 to {}", options.workers, kMaxWorkers));
  }
  return Evaluation(plane, loss, options, known).Run();
}

}  // namespace sightline::landscape
