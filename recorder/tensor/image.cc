#include "sightline/recorder/tensor/image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "sightline/recorder/tensor/float_kernels.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

constexpr std::int64_t kImagesPerRow = 8;

// Where the images of a batch are on the canvas.
struct Layout {
  std::size_t images = 0;
  std::size_t channels = 0;
  std::size_t height = 0;  // The size of one image.
  std::size_t width = 0;
  std::size_t columns = 0;
  std::size_t rows = 0;

  bool has_empty_places() const { return images < columns * rows; }
};

Status ShapeError(const TensorView& nchw, std::string_view what) {
  return Status(
      StatusCode::kInvalidArgument,
      fmt::format("image: shape ({}) {}; it must be (batch, 1 or 3 channels, height, width)",
                  fmt::join(nchw.shape, ", "), what));
}

Result<Layout> LayoutOf(const TensorView& nchw) {
  if (nchw.shape.size() != 4) return Error(ShapeError(nchw, "does not have four dimensions"));
  const std::int64_t images = nchw.shape[0];
  const std::int64_t channels = nchw.shape[1];
  if (std::ranges::count(nchw.shape, 0) > 0) {
    return Error(ShapeError(nchw, "has an empty dimension"));
  }
  if (channels != 1 && channels != 3) {
    return Error(ShapeError(nchw, fmt::format("has {} channels", channels)));
  }
  const std::int64_t columns = std::min(images, kImagesPerRow);
  const std::int64_t rows = (images - 1) / columns + 1;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t pixels = 0;
  if (__builtin_mul_overflow(nchw.shape[3], columns, &width) ||
      __builtin_mul_overflow(nchw.shape[2], rows, &height) ||
      __builtin_mul_overflow(width, height, &pixels) || pixels > kMaxCanvasPixels ||
      width > kMaxPngSide || height > kMaxPngSide) {
    return Error(
        ShapeError(nchw, fmt::format("makes a picture of more than {} pixels", kMaxCanvasPixels)));
  }
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  return Layout{size(images),        size(channels), size(nchw.shape[2]),
                size(nchw.shape[3]), size(columns),  size(rows)};
}

// Loads `n` elements from `begin` on, as float32.
void Load(const TensorView& view, std::size_t begin, std::size_t n, float* out) {
  ConvertToFloat32(view.dtype, static_cast<const char*>(view.data) + begin * DTypeSize(view.dtype),
                   n, out);
}

// pixel = (v - shift) * scale
struct Stretch {
  float shift = 0;
  float scale = 255;

  std::uint8_t operator()(float value) const {
    const float pixel = (value - shift) * scale;
    // Written so that NaN becomes 0 and that the compiler finds vector instructions.
    const float positive = pixel > 0.0F ? pixel : 0.0F;
    return static_cast<std::uint8_t>(static_cast<int>(positive < 255.0F ? positive : 255.0F));
  }
};

// The minimum and maximum of the values that fit into float32. They are computed in float64 if the
// dtype needs it, since MindSpore decides by that.
ValueStats StatsOf(const TensorView& view) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const std::size_t total = view.ElementCount();
  float narrow[kSumRun];
  double wide[kSumRun];
  ValueStats stats;
  for (std::size_t begin = 0; begin < total; begin += kSumRun) {
    const std::size_t n = std::min(kSumRun, total - begin);
    if (Float32IsExact(view.dtype)) {
      Load(view, begin, n, narrow);
      AddToStats(narrow, n, stats);
      continue;
    }
    const char* source = static_cast<const char*>(view.data) + begin * DTypeSize(view.dtype);
    ConvertToFloat64(view.dtype, source, n, wide);
    for (std::size_t i = 0; i < n; ++i) {
      if (!(std::abs(wide[i]) <= kLargest)) wide[i] = std::numeric_limits<double>::quiet_NaN();
    }
    AddToStats(wide, n, stats);
  }
  return stats;
}

Stretch StretchOf(const TensorView& nchw, const Layout& layout) {
  const ValueStats stats = StatsOf(nchw);
  double min = stats.min;
  double max = stats.max;
  if (layout.has_empty_places() || stats.finite_count == 0) {
    min = std::min(min, 0.0);
    max = std::max(max, 0.0);
  }
  if (max <= 1 && min >= 0) return {};
  if (max == min) return {static_cast<float>(min), 1};
  return {static_cast<float>(min), static_cast<float>(255 / (max - min + 1))};
}

// Writes one row of one image at `out`. `row` gives pixel x of channel c by row(c)[x].
template <typename Row, typename ToPixel>
void WriteRow(const Layout& layout, Row row, ToPixel to_pixel, std::uint8_t* out) {
  const auto* red = row(0);
  const auto* green = layout.channels == 3 ? row(1) : red;
  const auto* blue = layout.channels == 3 ? row(2) : red;
  for (std::size_t x = 0; x < layout.width; ++x, out += 3) {
    out[0] = to_pixel(red[x]);
    out[1] = to_pixel(green[x]);
    out[2] = to_pixel(blue[x]);
  }
}

// Calls f(index, out) for each row of each image. `index` is that of the row's first element in
// channel 0; `out` is the row's place on the canvas.
template <typename F>
void ForEachRow(const Layout& layout, std::vector<std::uint8_t>& rgb, F f) {
  for (std::size_t image = 0; image < layout.images; ++image) {
    const std::size_t left = image % layout.columns * layout.width;
    const std::size_t top = image / layout.columns * layout.height;
    for (std::size_t y = 0; y < layout.height; ++y) {
      const std::size_t first = (image * layout.channels * layout.height + y) * layout.width;
      f(first, &rgb[((top + y) * layout.columns * layout.width + left) * 3]);
    }
  }
}

}  // namespace

Result<ImageCanvas> MakeCanvas(const TensorView& nchw) {
  SIGHTLINE_RETURN_IF_ERROR(nchw.Check());
  if (nchw.dtype == DType::kComplex64 || nchw.dtype == DType::kComplex128) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("image: {} values are not pixels; record their magnitude",
                             DTypeName(nchw.dtype)));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const Layout layout, LayoutOf(nchw));
  const ScopedFloatEnvironment environment;
  const std::size_t width = layout.width * layout.columns;
  const std::size_t height = layout.height * layout.rows;
  const std::size_t plane = layout.height * layout.width;
  ImageCanvas canvas{static_cast<int>(width), static_cast<int>(height), {}};

  if (nchw.dtype == DType::kUint8) {
    canvas.rgb.resize(width * height * 3);
    const auto* data = static_cast<const std::uint8_t*>(nchw.data);
    ForEachRow(layout, canvas.rgb, [&](std::size_t first, std::uint8_t* out) {
      WriteRow(
          layout, [&](std::size_t channel) { return data + first + channel * plane; },
          [](std::uint8_t value) { return value; }, out);
    });
    return canvas;
  }
  const Stretch stretch = StretchOf(nchw, layout);
  canvas.rgb.resize(width * height * 3, stretch(0));
  std::vector<float> rows(layout.channels * layout.width);
  ForEachRow(layout, canvas.rgb, [&](std::size_t first, std::uint8_t* out) {
    for (std::size_t channel = 0; channel < layout.channels; ++channel) {
      Load(nchw, first + channel * plane, layout.width, &rows[channel * layout.width]);
    }
    WriteRow(
        layout, [&](std::size_t channel) { return &rows[channel * layout.width]; }, stretch, out);
  });
  return canvas;
}

}  // namespace sightline
