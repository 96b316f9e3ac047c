// Encodes and decodes PNG files in memory: 8 bits for each channel, 1 to 4 channels.
//
// Pure functions; may be called from any thread. Each thread that encodes keeps about 400 KB for
// the compressor.
//
//   Result<std::string> png = EncodePng(width, height, 3, rgb);
//   Result<PngImage> image = DecodePng(*png);
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// The largest width and height of an image that is written or read.
inline constexpr int kMaxPngSide = 1 << 24;
// The most bytes that decoded pixels may have.
inline constexpr std::int64_t kMaxPngBytes = std::int64_t{1} << 30U;

// Decoded pixels.
struct PngImage {
  int width = 0;
  int height = 0;
  // The number of channels, as in Image.colorspace: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
  int colorspace = 0;
  std::string bytes;  // height x width x colorspace, rows from the top.
};

// Returns a PNG file. `pixels` is height x width x channels, rows from the top. The encoder is made
// for speed: it uses the Paeth filter for every row, and the fastest deflate that finds matches.
// For photographs, the files are within about 10 % of those of zlib's level 6. kInvalidArgument for
// a size out of range or pixels of another length.
Result<std::string> EncodePng(int width, int height, int channels,
                              std::span<const std::uint8_t> pixels);

// Decodes any PNG; palettes are expanded, and 16 bits are reduced to 8. kDataLoss for a
// damaged PNG and for other bytes, kInvalidArgument for one that exceeds the limits above.
// Allocates no more than a file of this length can decode to.
Result<PngImage> DecodePng(std::string_view file);

// The same in little memory: `take` gets the pixels in order, one or more rows at a time. An
// interlaced image is still decoded as a whole. Returns the image without its bytes. After an error
// `take` may have got some rows.
Result<PngImage> DecodePngRows(std::string_view file,
                               const std::function<void(std::string_view)>& take);

// The image without its bytes, from the file's header alone. Fails as DecodePng does, except for
// damage behind the header.
Result<PngImage> ReadPngHeader(std::string_view file);

}  // namespace sightline
