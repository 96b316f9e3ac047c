#include "sightline/landscape/directions/direction_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sightline/landscape/directions/slices.h"

namespace sightline::landscape {
namespace {

// The norm of the checkpoint divided by that of the direction; 0 if either is 0.
double ScaleTo(double parameter_squares, double direction_squares) {
  return direction_squares > 0 ? std::sqrt(parameter_squares) / std::sqrt(direction_squares) : 0;
}

// One layer or filter: `count` numbers from `begin` on.
void NormalisePart(const ParameterSet& set, std::size_t begin, std::size_t count,
                   std::array<double, 2> signs, Directions& directions) {
  const std::size_t last = set.checkpoint_count() - 1;
  float* first = directions.first.data() + begin;
  float* second = directions.second.data() + begin;
  double parameter = 0;
  double squares[2] = {0, 0};
  double buffer[kBlock];
  for (std::size_t at = 0; at < count; at += kBlock) {
    const std::size_t n = std::min(kBlock, count - at);
    set.Read(last, begin + at, std::span(buffer, n));
    for (std::size_t i = 0; i < n; ++i) {
      const double a = first[at + i];
      const double b = second[at + i];
      parameter += buffer[i] * buffer[i];
      squares[0] += a * a;
      squares[1] += b * b;
    }
  }
  const double scales[2] = {signs[0] * ScaleTo(parameter, squares[0]),
                            signs[1] * ScaleTo(parameter, squares[1])};
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = static_cast<float>(first[i] * scales[0]);
    second[i] = static_cast<float>(second[i] * scales[1]);
  }
}

std::uint64_t SplitMix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
  return x ^ x >> 31U;
}

// In (0, 1], of 53 bits.
double Uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 1) * 0x1p-53; }

}  // namespace

void NormaliseDirections(const ParameterSet& set, Normalisation normalisation, int threads,
                         std::array<double, 2> signs, Directions& directions) {
  const std::vector<ParameterSlot>& slots = set.slots();
  RunTasks(slots.size(), threads, [&](std::size_t index) {
    const ParameterSlot& slot = slots[index];
    if (normalisation == Normalisation::kNone) {
      for (std::size_t i = slot.begin; i < slot.begin + slot.count; ++i) {
        directions.first[i] *= static_cast<float>(signs[0]);
        directions.second[i] *= static_cast<float>(signs[1]);
      }
      return;
    }
    const std::size_t parts = normalisation == Normalisation::kFilter ? slot.filters() : 1;
    const std::size_t size = slot.count / parts;
    for (std::size_t part = 0; part < parts; ++part)
      NormalisePart(set, slot.begin + part * size, size, signs, directions);
  });
}

void FillNormal(std::uint64_t seed, std::uint64_t stream, int threads, std::vector<float>& out) {
  const std::uint64_t key = SplitMix(seed ^ SplitMix(stream + 1));
  RunTasks(kSlices, threads, [&](std::size_t index) {
    const auto [begin, end] = SliceOf(out.size(), index);  // Begins are even.
    for (std::size_t i = begin; i < end; i += 2) {
      const double radius = std::sqrt(-2 * std::log(Uniform(SplitMix(key + i))));
      const double angle = 2 * std::numbers::pi * Uniform(SplitMix(key + i + 1));
      out[i] = static_cast<float>(radius * std::cos(angle));
      if (i + 1 < end) out[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
  });
}

}  // namespace sightline::landscape
