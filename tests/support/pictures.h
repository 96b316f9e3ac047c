// Pictures to encode: what cameras see, and noise. The same in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace sightline::testing {

// Random values on a lattice of `cell` pixels, linear in between.
class LatticeNoise {
 public:
  LatticeNoise(int width, int height, int cell, std::mt19937& random)
      : cell_(cell), columns_(width / cell + 2) {
    values_.resize(static_cast<std::size_t>(columns_ * (height / cell + 2)));
    for (double& value : values_) value = static_cast<double>(random() % 2001) / 1000 - 1;
  }

  double At(int x, int y) const {
    const double u = static_cast<double>(x % cell_) / cell_;
    const double v = static_cast<double>(y % cell_) / cell_;
    const auto i = static_cast<std::size_t>(y / cell_ * columns_ + x / cell_);
    const auto below = i + static_cast<std::size_t>(columns_);
    return std::lerp(std::lerp(values_[i], values_[i + 1], u),
                     std::lerp(values_[below], values_[below + 1], u), v);
  }

 private:
  int cell_;
  int columns_;
  std::vector<double> values_;
};

// height x width x 3: light at every scale, less of it the finer, a few sharp edges, weaker colour
// than brightness, and a sensor's noise. PNG makes of it about what it makes of photographs: 50 to
// 60 % of the pixels' bytes.
inline std::vector<std::uint8_t> PhotoLike(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LatticeNoise> light;
  std::vector<LatticeNoise> colour;
  for (int cell = 64; cell >= 2; cell /= 2) {
    light.emplace_back(width, height, cell, random);
    colour.emplace_back(width, height, cell, random);
  }
  std::vector<std::uint8_t> rgb;
  rgb.reserve(static_cast<std::size_t>(width * height * 3));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double brightness = std::hypot(x - width / 3, y - height / 2) < width / 5 ? 150 : 110;
      double tint = y > 2 * height / 3 + x / 8 ? 20 : 0;
      double amplitude = 60;
      for (std::size_t octave = 0; octave < light.size(); ++octave, amplitude *= 0.55) {
        brightness += amplitude * light[octave].At(x, y);
        tint += amplitude * 0.3 * colour[octave].At(x, y);
      }
      for (const double weight : {1.0, 0.1, -0.9}) {
        const double noise = static_cast<double>(random() % 401) / 100 - 2;
        rgb.push_back(
            static_cast<std::uint8_t>(std::clamp(brightness + weight * tint + noise, 0.0, 255.0)));
      }
    }
  }
  return rgb;
}

inline std::vector<std::uint8_t> NoisePicture(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(width * height * 3));
  for (std::uint8_t& value : rgb) value = static_cast<std::uint8_t>(random());
  return rgb;
}

}  // namespace sightline::testing
