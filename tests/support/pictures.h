// Pictures to encode: what cameras see, and noise. The same in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace sightline::testing {

// Random values from -1 to 1 on a lattice of `cell` pixels, linear in between.
class LatticeNoise {
 public:
  LatticeNoise(std::size_t width, std::size_t height, std::size_t cell, std::mt19937& random)
      : cell_(cell), columns_(width / cell + 2), values_(columns_ * (height / cell + 2)) {
    for (double& value : values_) value = static_cast<double>(random() % 2001) / 1000 - 1;
  }

  double At(std::size_t x, std::size_t y) const {
    const double u = static_cast<double>(x % cell_) / static_cast<double>(cell_);
    const double v = static_cast<double>(y % cell_) / static_cast<double>(cell_);
    const std::size_t i = y / cell_ * columns_ + x / cell_;
    const std::size_t below = i + columns_;
    return std::lerp(std::lerp(values_[i], values_[i + 1], u),
                     std::lerp(values_[below], values_[below + 1], u), v);
  }

 private:
  std::size_t cell_;
  std::size_t columns_;
  std::vector<double> values_;
};

// height x width x 3: light at every scale, less of it the finer, a few sharp edges, weaker colour
// than brightness, and a sensor's noise. As PNG about half of the pixels' bytes, like photographs.
inline std::vector<std::uint8_t> PhotoLike(std::size_t width, std::size_t height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LatticeNoise> light;
  std::vector<LatticeNoise> colour;
  for (std::size_t cell = 64; cell >= 2; cell /= 2) {
    light.emplace_back(width, height, cell, random);
    colour.emplace_back(width, height, cell, random);
  }
  std::vector<std::uint8_t> rgb;
  rgb.reserve(width * height * 3);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const double u = static_cast<double>(x) / static_cast<double>(width);
      const double v = static_cast<double>(y) / static_cast<double>(height);
      double brightness = std::hypot(u - 0.33, v - 0.5) < 0.2 ? 150 : 110;
      double tint = v > 0.67 + u / 8 ? 20 : 0;
      double amplitude = 60;
      for (std::size_t octave = 0; octave < light.size(); ++octave, amplitude *= 0.55) {
        brightness += amplitude * light[octave].At(x, y);
        tint += amplitude * 0.3 * colour[octave].At(x, y);
      }
      for (const double weight : {1.0, 0.1, -0.9}) {
        const double noise = static_cast<double>(random() % 401) / 100 - 2;
        const double value = brightness + weight * tint + noise;
        rgb.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
      }
    }
  }
  return rgb;
}

inline std::vector<std::uint8_t> NoisePicture(std::size_t width, std::size_t height,
                                              unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> rgb(width * height * 3);
  for (std::uint8_t& value : rgb) value = static_cast<std::uint8_t>(random());
  return rgb;
}

}  // namespace sightline::testing
