#include "sightline/landscape/plane.h"

#include <cmath>
#include <utility>

#include "sightline/base/faults.h"
#include "sightline/landscape/grid.h"

namespace sightline::landscape {
namespace {

constexpr std::int64_t kMaxSize = 4096;

void CheckSize(const char* name, std::int64_t size, Faults& faults) {
  if (size < 0 || size > kMaxSize) {
    faults.Add("{} is {}, but must be from 1 to {} (or 0: as the metadata says)", name, size,
               kMaxSize);
  }
}

void CheckRange(const char* name, const std::optional<std::array<double, 2>>& range,
                Faults& faults) {
  if (!range) return;
  const auto [low, high] = *range;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low <= high))
    faults.Add("{} is {} to {}, but must be two finite numbers that rise", name, low, high);
}

std::size_t SizeOf(std::int64_t wanted, const TrainMetadata& metadata) {
  return static_cast<std::size_t>(wanted > 0 ? wanted : metadata.landscape_size);
}

Result<ParameterSet> Open(FileSystem& files, const TrainMetadata& metadata,
                          const std::vector<std::int64_t>& numbers, const PlaneOptions& options) {
  SIGHTLINE_UNEXPECTED_IF_ERROR(options.Check());
  std::vector<Checkpoint> checkpoints;
  for (const std::int64_t number : numbers) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(Checkpoint checkpoint, OpenCheckpoint(files, metadata, number));
    checkpoints.push_back(std::move(checkpoint));
  }
  return ParameterSet::Make(std::move(checkpoints), options.parameters);
}

void SetRanges(const PlaneOptions& options, Plane& plane) {
  if (const auto& range = options.x_range) plane.x = Axis((*range)[0], (*range)[1], plane.x.size());
  if (const auto& range = options.y_range) plane.y = Axis((*range)[0], (*range)[1], plane.y.size());
}

}  // namespace

Status PlaneOptions::Check() const {
  Faults faults;
  CheckSize("x_size", x_size, faults);
  CheckSize("y_size", y_size, faults);
  CheckRange("x_range", x_range, faults);
  CheckRange("y_range", y_range, faults);
  return faults.ToStatus();
}

Result<Plane> PlaneOfInterval(FileSystem& files, const TrainMetadata& metadata, std::size_t index,
                              const PlaneOptions& options) {
  const std::vector<std::int64_t>& numbers = metadata.intervals[index];
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(ParameterSet set, Open(files, metadata, numbers, options));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(Directions directions, PcaDirections(set, options.directions));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(Trajectory path,
                                 ProjectCheckpoints(set, directions, options.directions.threads));
  Plane plane{LandscapeTag(numbers), "PCA",           numbers, std::move(set),
              std::move(directions), std::move(path), {},      {}};
  plane.x = AxisAround(plane.trajectory.x, SizeOf(options.x_size, metadata));
  plane.y = AxisAround(plane.trajectory.y, SizeOf(options.y_size, metadata));
  SetRanges(options, plane);
  return plane;
}

Result<Plane> PlaneOfResult(FileSystem& files, const TrainMetadata& metadata,
                            const PlaneOptions& options) {
  const std::vector<std::int64_t> numbers = {metadata.intervals.back().back()};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(ParameterSet set, Open(files, metadata, numbers, options));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(Directions directions, RandomDirections(set, options.directions));
  Plane plane{LandscapeTag(numbers),
              "Random",
              numbers,
              std::move(set),
              std::move(directions),
              {{0}, {0}, {0}},
              Axis(-1, 1, SizeOf(options.x_size, metadata)),
              Axis(-1, 1, SizeOf(options.y_size, metadata))};
  SetRanges(options, plane);
  return plane;
}

}  // namespace sightline::landscape
