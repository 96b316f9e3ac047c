#include "sightline/landscape/surface/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "sightline/landscape/directions/vector_kernels.h"
#include "sightline/landscape/surface/surface_work.h"
#include "sightline/recorder/tensor/float_kernels.h"

namespace sightline::landscape {
namespace {

constexpr int kMaxWorkers = 1024;

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
  SurfaceWork work(plane, options, known);
  if (work.open_count() == 0) return {};
  const std::vector<float> last = LastParameters(plane);
  const auto workers =
      std::min<std::size_t>(static_cast<std::size_t>(options.workers), work.open_count());
  auto threads = StartWorkers(plane, last, loss, 1, static_cast<int>(workers), work);
  Evaluate(plane, last, loss, 0, work);
  for (std::thread& thread : threads) thread.join();
  return work.status();
}

}  // namespace sightline::landscape
