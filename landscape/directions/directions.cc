#include "sightline/landscape/directions/directions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sightline/landscape/directions/direction_scaling.h"
#include "sightline/landscape/directions/principal_components.h"
#include "sightline/landscape/directions/slices.h"

namespace sightline::landscape {
namespace {

struct PlaneProducts {
  double first = 0;
  double second = 0;
  double mixed = 0;
};

// Fills `second` with a random vector that is orthogonal to `first` and as long.
void FillOrthogonal(std::uint64_t seed, int threads, Directions& out) {
  FillNormal(seed, 1, threads, out.second);
  std::vector<PlaneProducts> slices(kSlices);
  RunTasks(kSlices, threads, [&](std::size_t index) {
    const auto [begin, end] = SliceOf(out.first.size(), index);
    for (std::size_t i = begin; i < end; ++i) {
      const double a = out.first[i];
      const double b = out.second[i];
      slices[index].first += a * a;
      slices[index].second += b * b;
      slices[index].mixed += a * b;
    }
  });
  PlaneProducts all;
  for (const PlaneProducts& slice : slices) {
    all.first += slice.first;
    all.second += slice.second;
    all.mixed += slice.mixed;
  }
  const double along = all.mixed / all.first;
  const double rest = all.second - along * all.mixed;
  const double scale = rest > 0 ? std::sqrt(all.first / rest) : 1;
  for (std::size_t i = 0; i < out.first.size(); ++i)
    out.second[i] = static_cast<float>(scale * (out.second[i] - along * out.first[i]));
}

Directions EmptyDirections(std::size_t size) {
  Directions directions;
  directions.first.resize(size);
  directions.second.resize(size);
  return directions;
}

// Reads a direction of the user.
Status ReadGiven(const ParameterSet& set, std::size_t index, std::vector<float>& out) {
  set.Read(index, 0, std::span<float>(out));
  bool is_zero = true;
  for (const float value : out) {
    if (!std::isfinite(value)) {
      return Status(StatusCode::kInvalidArgument,
                    set.name(index) + ": a direction cannot hold NaN or infinity");
    }
    is_zero = is_zero && value == 0;
  }
  if (!is_zero) return {};
  return Status(StatusCode::kInvalidArgument,
                set.name(index) + ": this direction is zero in the parameters chosen");
}

}  // namespace

Result<Directions> PcaDirections(const ParameterSet& set, const DirectionOptions& options) {
  const std::size_t needed = options.random_second ? 2 : 3;
  if (set.checkpoint_count() < needed) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("principal components need {} checkpoints, but there are {}", needed,
                             set.checkpoint_count()));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const Principal principal, FindPrincipal(set, options.threads));
  if (principal.is_line && !options.random_second) {
    return Error(DegenerateCheckpoints(
        set,
        "are on a line and span no plane; use random_second for a random second "
        "direction"));
  }
  Directions out = EmptyDirections(set.size());
  const auto signs =
      FillDirections(set, principal, principal.is_line ? 1 : 2, options.threads, out);
  if (principal.is_line) FillOrthogonal(options.seed, options.threads, out);
  NormaliseDirections(set, options.normalisation, options.threads, signs, out);
  out.explained_variance = principal.explained;
  return out;
}

Result<Directions> RandomDirections(const ParameterSet& set, const DirectionOptions& options) {
  Directions out = EmptyDirections(set.size());
  FillNormal(options.seed, 0, options.threads, out.first);
  FillNormal(options.seed, 1, options.threads, out.second);
  NormaliseDirections(set, options.normalisation, options.threads, {1, 1}, out);
  return out;
}

Result<Directions> GivenDirections(const ParameterSet& set, const DirectionOptions& options) {
  Directions out = EmptyDirections(set.size());
  SIGHTLINE_RETURN_IF_ERROR(ReadGiven(set, 0, out.first));
  if (set.checkpoint_count() > 2) {
    SIGHTLINE_RETURN_IF_ERROR(ReadGiven(set, 1, out.second));
  } else {
    FillOrthogonal(options.seed, options.threads, out);
  }
  NormaliseDirections(set, options.normalisation, options.threads, {1, 1}, out);
  return out;
}

}  // namespace sightline::landscape
