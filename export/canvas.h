// Canvas: what pictures are drawn on, in points, y downwards. An SVG text (SvgCanvas) or pixels
// (export/png).
//
// One thread at a time.
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

  // A polygon, without smoothing at its edges, so that neighbours leave no seam.
  virtual void Fill(std::span<const CanvasPoint> polygon, const Colour& colour) = 0;
  virtual void Draw(std::span<const Segment> segments, const Colour& colour, double width) = 0;
  // `title` is shown where the picture is pointed at, if the form can.
  virtual void Dot(CanvasPoint middle, double radius, const Colour& colour,
                   std::string_view title) = 0;
  virtual void Ring(CanvasPoint middle, double radius, const Colour& colour,
                    std::string_view title) = 0;
  // `at` is on the base line.
  virtual void Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) = 0;
  // Between them only what lies inside of the rectangle is drawn. Not nested.
  virtual void BeginClip(CanvasPoint corner, double width, double height) = 0;
  virtual void EndClip() = 0;
};

}  // namespace sightline
