// A batch of images as one picture, by MindSpore's rules.
//
// Input is (batch, channels, height, width) with 1 or 3 channels and no empty dimension. The images
// stand eight a row on one canvas, the rest of it is 0; one channel becomes three equal ones.
// Pixels:
// - uint8 is kept exactly. (MindSpore stretches it too, since its canvas is float64 before it looks
// at the dtype.)
// - Everything else goes by the canvas' minimum and maximum, empty places included: within [0, 1] a
// pixel is
//   v * 255; if both are equal it is 0; else (v - min) * (255 / (max - min + 1)). In float32,
//   truncated.
// - NaN is 0 and does not count for minimum and maximum; infinities (also what exceeds float32) are
// 0 and 255.
//
// Pure: callable from any thread.
//
//   Result<ImageCanvas> canvas = MakeCanvas(View(batch.data(), shape));
//   Result<std::string> png = EncodePng(canvas->width, canvas->height, 3, canvas->rgb);
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// Larger canvases are refused: 805 MB of pixels are no picture.
inline constexpr std::int64_t kMaxCanvasPixels = std::int64_t{1} << 28U;

struct ImageCanvas {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // height x width x 3, rows from the top.
};

// kInvalidArgument for another shape, a complex dtype, or more than kMaxCanvasPixels.
Result<ImageCanvas> MakeCanvas(const TensorView& nchw);

}  // namespace sightline
