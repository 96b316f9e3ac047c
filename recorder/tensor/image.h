// Makes one picture of a batch of images, by MindSpore's rules.
//
// The input is (batch, channels, height, width) with 1 or 3 channels and no empty dimension. The
// canvas has eight images in a row, and 0 in empty places. One channel becomes three equal ones. A
// pixel's value v becomes:
// - for uint8: v, exactly. (MindSpore stretches uint8, too, since it looks at the dtype only after
//   its canvas is float64.)
// - for other dtypes, if min and max are the minimum and maximum of the canvas with its empty
//   places: v * 255 if both are within [0, 1]; 0 if they are equal; otherwise
//   (v - min) * (255 / (max - min + 1)). Computed in float32 and truncated.
// - for NaN: 0. It does not count for minimum and maximum. Infinities, and values that exceed
//   float32, become 0 or 255.
//
// Pure; may be called from any thread.
//
//   Result<ImageCanvas> canvas = MakeCanvas(View(batch.data(), shape));
//   Result<std::string> png = EncodePng(canvas->width, canvas->height, 3, canvas->rgb);
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// Larger canvases are refused. This many pixels take 805 MB.
inline constexpr std::int64_t kMaxCanvasPixels = std::int64_t{1} << 28U;

struct ImageCanvas {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // height x width x 3, rows from the top.
};

// kInvalidArgument for another shape, a complex dtype, or a canvas of more than kMaxCanvasPixels.
Result<ImageCanvas> MakeCanvas(const TensorView& nchw);

}  // namespace sightline
