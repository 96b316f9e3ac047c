// RasterCanvas: a picture as pixels, kPixelsPerPoint of them for each point in both directions.
//
// Lines, dots and rings are smoothed: a pixel's colour is mixed by the part of it that they cover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sightline/export/landscape/canvas.h"
#include "sightline/export/landscape/landscape_picture.h"

namespace sightline {

class RasterCanvas : public Canvas {
 public:
  // White.
  RasterCanvas(int width, int height);

  void Fill(std::span<const CanvasPoint> polygon, const Colour& colour) override;
  void Draw(std::span<const Segment> segments, const Colour& colour, double width) override;
  void Dot(CanvasPoint middle, double radius, const Colour& colour,
           std::string_view title) override;
  void Ring(CanvasPoint middle, double radius, const Colour& colour,
            std::string_view title) override;
  void Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) override;
  void BeginClip(CanvasPoint corner, double width, double height) override;
  void EndClip() override;

  // In pixels.
  int width() const { return width_; }
  int height() const { return height_; }
  // height x width x RGB, rows from the top.
  const std::vector<std::uint8_t>& pixels() const { return pixels_; }

 private:
  // The pixels from left to right - 1, top to bottom - 1.
  struct Box {
    int left;
    int top;
    int right;
    int bottom;
  };

  // The pixels that a shape between two points may cover, `reach` pixels around it.
  Box Around(CanvasPoint a, CanvasPoint b, double reach) const;
  // Raises the cover of each pixel in the box to cover(middle of the pixel), from 0 to 1.
  template <typename Cover>
  void Raise(const Box& box, Cover cover);
  // Mixes the colour into the pixels of the box by their cover, and clears the cover.
  void Paint(const Box& box, const Colour& colour);
  std::size_t PixelAt(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  void Mix(std::size_t pixel, const Colour& colour, double part);

  const int width_;
  const int height_;
  Box clip_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> cover_;  // The covered part of each pixel, during one call; otherwise 0.
};

}  // namespace sightline
