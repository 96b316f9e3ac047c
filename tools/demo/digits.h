// The demo's data: 1,797 handwritten digits of the UCI repository (tools/demo/data/README.md),
// embedded in the program.
//
//   Result<Digits> digits = ReadDigits(EmbeddedDigits());
//   digits->count();           // 1797
//   digits->Image(3);          // 64 floats of [0, 1], row by row
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::demo {

inline constexpr int kImageSide = 8;
inline constexpr int kImagePixels = kImageSide * kImageSide;
inline constexpr int kClasses = 10;

struct Digits {
  std::vector<float> pixels;          // count x 64, 0 is paper and 1 is ink.
  std::vector<std::uint8_t> classes;  // count, each 0 to 9.

  int count() const { return static_cast<int>(classes.size()); }
  std::span<const float> Image(int index) const {
    return std::span(pixels).subspan(static_cast<std::size_t>(index) * kImagePixels, kImagePixels);
  }
};

// The gzip bytes of tools/demo/data/digits.csv.gz; they live as long as the program.
std::string_view EmbeddedDigits();

// Reads gzip-compressed lines of 64 pixels (0 to 16) and a class, separated by commas. kDataLoss,
// with the wrong line, for anything else.
Result<Digits> ReadDigits(std::string_view gzip);

}  // namespace sightline::demo
