#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sightline/landscape/directions/directions.h"
#include "sightline/landscape/directions/slices.h"
#include "sightline/landscape/directions/vector_kernels.h"

namespace sightline::landscape {
namespace {

// 1 - the squared cosine between two directions, below which they count as parallel.
constexpr double kSmallestSine = 1e-10;

// Inner products of the directions with each other, and of each difference with both and itself.
struct Products {
  std::array<double, 2> first = {0, 0};  // With itself, with the second.
  std::array<double, 1> second = {0};
  std::vector<std::array<double, 3>> differences;
};

Products MultiplySlice(const ParameterSet& set, const Directions& directions, SliceRange slice) {
  const std::size_t count = set.checkpoint_count() - 1;
  Products out;
  out.differences.resize(count, {0, 0, 0});
  std::vector<double> values(4 * kBlock);
  double* first = values.data();
  double* second = first + kBlock;
  double* last = second + kBlock;
  double* difference = last + kBlock;
  for (std::size_t at = slice.begin; at < slice.end; at += kBlock) {
    const std::size_t n = std::min(kBlock, slice.end - at);
    WidenFloats(directions.first.data() + at, first, n);
    WidenFloats(directions.second.data() + at, second, n);
    AddDots(first, std::array<const double*, 2>{first, second}, n, out.first.data());
    AddDots(second, std::array<const double*, 1>{second}, n, out.second.data());
    set.Read(count, at, std::span(last, n));
    for (std::size_t i = 0; i < count; ++i) {
      set.ReadDifference(i, at, {last, n}, {difference, n});
      AddDots(difference, std::array<const double*, 3>{first, second, difference}, n,
              out.differences[i].data());
    }
  }
  return out;
}

}  // namespace

Result<Trajectory> ProjectCheckpoints(const ParameterSet& set, const Directions& directions,
                                      int threads) {
  std::vector<Products> slices(kSlices);
  RunTasks(kSlices, threads, [&](std::size_t i) {
    slices[i] = MultiplySlice(set, directions, SliceOf(set.size(), i));
  });
  const std::size_t count = set.checkpoint_count() - 1;
  double a11 = 0;
  double a12 = 0;
  double a22 = 0;
  for (const Products& slice : slices) {
    a11 += slice.first[0];
    a12 += slice.first[1];
    a22 += slice.second[0];
  }
  const double determinant = a11 * a22 - a12 * a12;
  if (!(determinant > kSmallestSine * a11 * a22)) {
    return Error(StatusCode::kInvalidArgument,
                 "the two directions are parallel or zero: they span no plane");
  }
  Trajectory path;
  for (std::size_t i = 0; i < count; ++i) {
    double b1 = 0;
    double b2 = 0;
    double square = 0;
    for (const Products& slice : slices) {
      b1 += slice.differences[i][0];
      b2 += slice.differences[i][1];
      square += slice.differences[i][2];
    }
    const double x = (a22 * b1 - a12 * b2) / determinant;
    const double y = (a11 * b2 - a12 * b1) / determinant;
    path.x.push_back(x);
    path.y.push_back(y);
    path.distances.push_back(std::sqrt(std::max(0.0, square - x * b1 - y * b2)));
  }
  path.x.push_back(0);
  path.y.push_back(0);
  path.distances.push_back(0);
  return path;
}

}  // namespace sightline::landscape
