#include "sightline/landscape/directions/plane.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sightline/landscape/directions/grid.h"
#include "sightline/landscape/directions/slices.h"

namespace sightline::landscape {
namespace {

Result<ParameterSet> Open(const TrainMetadata& metadata, const std::vector<std::int64_t>& numbers,
                          const PlaneOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(options.Check());
  std::vector<Checkpoint> checkpoints;
  for (const std::int64_t number : numbers) {
    SIGHTLINE_ASSIGN_OR_RETURN(Checkpoint checkpoint, OpenCheckpoint(metadata, number));
    checkpoints.push_back(std::move(checkpoint));
  }
  return ParameterSet::Make(std::move(checkpoints), options.parameters);
}

// An axis of one point is at 0, so that the landscape is a line through the last checkpoint.
std::vector<double> AxisOf(const std::optional<std::array<double, 2>>& range,
                           std::int64_t point_count, const std::vector<double>& trajectory) {
  const auto size = static_cast<std::size_t>(point_count);
  if (range) return Axis((*range)[0], (*range)[1], size);
  return size == 1 ? std::vector<double>{0} : AxisAround(trajectory, size);
}

std::vector<float> DifferenceOf(const ParameterSet& set) {
  std::vector<float> out(set.size());
  std::array<double, kBlock> last{};
  std::array<double, kBlock> difference{};
  for (std::size_t at = 0; at < out.size(); at += kBlock) {
    const std::size_t n = std::min(kBlock, out.size() - at);
    set.Read(set.checkpoint_count() - 1, at, std::span(last).first(n));
    set.ReadDifference(0, at, std::span(last).first(n), std::span(difference).first(n));
    for (std::size_t i = 0; i < n; ++i) out[at + i] = static_cast<float>(difference[i]);
  }
  return out;
}

void AddLines(const PlaneOptions& options, Plane& plane) {
  if (options.line_size == 0) return;
  const auto size = static_cast<std::size_t>(options.line_size);
  // As far as the axis would reach, even if it has one point.
  const auto along = [size](const std::optional<std::array<double, 2>>& range,
                            const std::vector<double>& trajectory) {
    return range ? Axis((*range)[0], (*range)[1], size) : AxisAround(trajectory, size);
  };
  plane.lines.push_back({std::string(kAlongFirst), along(options.x_range, plane.trajectory.x)});
  plane.lines.push_back({std::string(kAlongSecond), along(options.y_range, plane.trajectory.y)});
  if (plane.parameters.checkpoint_count() < 2) return;
  plane.lines.push_back({std::string(kAlongCheckpoints), Axis(-0.2, 1.2, size)});
  plane.checkpoint_difference = DifferenceOf(plane.parameters);
}

// The directions of the user, or else those that `find` makes of the checkpoints.
Result<Directions> DirectionsOf(const ParameterSet& set, const PlaneOptions& options,
                                Result<Directions> (*find)(const ParameterSet&,
                                                           const DirectionOptions&)) {
  if (options.given_directions.empty()) return find(set, options.directions);
  std::vector<Checkpoint> given = options.given_directions;
  given.push_back(set.last());
  SIGHTLINE_ASSIGN_OR_RETURN(const ParameterSet beside,
                             ParameterSet::Make(std::move(given), options.parameters));
  return GivenDirections(beside, options.directions);
}

Result<Plane> MakePlane(ParameterSet set, Directions directions, std::string decomposition,
                        const std::vector<std::int64_t>& numbers, const TrainMetadata& metadata,
                        const PlaneOptions& options) {
  Trajectory path{{0}, {0}, {0}};
  if (numbers.size() > 1) {
    SIGHTLINE_ASSIGN_OR_RETURN(path,
                               ProjectCheckpoints(set, directions, options.directions.threads));
  }
  if (!options.given_directions.empty()) decomposition = "Given";
  Plane plane{LandscapeTag(numbers),
              std::move(decomposition),
              numbers,
              std::move(set),
              std::move(directions),
              std::move(path),
              {},
              {},
              {},
              {}};
  plane.x =
      AxisOf(options.x_range, options.x_size.value_or(metadata.landscape_size), plane.trajectory.x);
  plane.y =
      AxisOf(options.y_range, options.y_size.value_or(metadata.landscape_size), plane.trajectory.y);
  AddLines(options, plane);
  SIGHTLINE_RETURN_IF_ERROR(plane.parameters.CheckFiles());
  return plane;
}

}  // namespace

Result<Plane> PlaneOfInterval(const TrainMetadata& metadata, std::size_t index,
                              const PlaneOptions& options) {
  const std::vector<std::int64_t>& numbers = metadata.intervals[index];
  SIGHTLINE_ASSIGN_OR_RETURN(ParameterSet set, Open(metadata, numbers, options));
  SIGHTLINE_ASSIGN_OR_RETURN(Directions directions, DirectionsOf(set, options, &PcaDirections));
  return MakePlane(std::move(set), std::move(directions), "PCA", numbers, metadata, options);
}

Result<Plane> PlaneOfResult(const TrainMetadata& metadata, const PlaneOptions& options) {
  const std::vector<std::int64_t> numbers = {metadata.intervals.back().back()};
  SIGHTLINE_ASSIGN_OR_RETURN(ParameterSet set, Open(metadata, numbers, options));
  SIGHTLINE_ASSIGN_OR_RETURN(Directions directions, DirectionsOf(set, options, &RandomDirections));
  return MakePlane(std::move(set), std::move(directions), "Random", numbers, metadata, options);
}

}  // namespace sightline::landscape
