// PNG files in memory: 8 bits a channel, 1 to 4 channels.
//
// Pure functions, callable from any thread; each thread that encodes keeps about 400 KB of
// compressor state.
//
//   Result<std::string> png = EncodePng(width, height, 3, rgb);
//   Result<PngImage> image = DecodePng(*png);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// Either side of an image that is written or read.
inline constexpr int kMaxPngSide = 1 << 24;
// Bytes of decoded pixels.
inline constexpr std::int64_t kMaxPngBytes = std::int64_t{1} << 30U;

// Decoded pixels.
struct PngImage {
  int width = 0;
  int height = 0;
  // Channels, numbered as Image.colorspace: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
  int colorspace = 0;
  std::string bytes;  // height x width x colorspace, rows from the top.
};

// `pixels` is height x width x channels, rows from the top. Lossless, and made for speed: every row
// has the Paeth filter and the fastest deflate that finds matches; files are within some 10 % of
// what zlib's level 6 makes of photographs. kInvalidArgument for a size out of range or pixels of
// another length.
Result<std::string> EncodePng(int width, int height, int channels,
                              std::span<const std::uint8_t> pixels);

// Any PNG; palettes are expanded and 16 bits reduced to 8. kDataLoss for bytes that are no sound
// PNG, kInvalidArgument for one beyond the limits above. Allocates no more than the file's length
// can decode to.
Result<PngImage> DecodePng(std::string_view file);

}  // namespace sightline
