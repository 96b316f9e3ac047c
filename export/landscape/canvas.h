// Canvas: a surface to draw a picture on, as an SVG text (SvgCanvas) or as pixels (RasterCanvas).
// Coordinates are points; y grows downwards. One thread at a time.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace sightline {

struct CanvasPoint {
  double x = 0;
  double y = 0;
};

struct Colour {
  std::array<double, 3> rgb = {0, 0, 0};  // 0 to 255.
  double opacity = 1;
};

class Canvas {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };
  using Segment = std::array<CanvasPoint, 2>;

  virtual ~Canvas() = default;

  // A polygon. Its edges are not smoothed, so there is no seam between neighbours.
  virtual void Fill(std::span<const CanvasPoint> polygon, const Colour& colour) = 0;
  virtual void Draw(std::span<const Segment> segments, const Colour& colour, double width) = 0;
  // `title` is shown when the mouse points at the dot, if the format can do that.
  virtual void Dot(CanvasPoint middle, double radius, const Colour& colour,
                   std::string_view title) = 0;
  virtual void Ring(CanvasPoint middle, double radius, const Colour& colour,
                    std::string_view title) = 0;
  // `at` is on the base line.
  virtual void Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) = 0;
  // Between these calls, only what lies inside the rectangle is drawn. They do not nest.
  virtual void BeginClip(CanvasPoint corner, double width, double height) = 0;
  virtual void EndClip() = 0;
};

}  // namespace sightline
