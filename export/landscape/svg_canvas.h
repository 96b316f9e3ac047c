// SvgCanvas: a picture as an SVG document.
#pragma once

#include <string>

#include "sightline/export/landscape/canvas.h"

namespace sightline {

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height);

  void Fill(std::span<const CanvasPoint> polygon, const Colour& colour) override;
  void Draw(std::span<const Segment> segments, const Colour& colour, double width) override;
  void Dot(CanvasPoint middle, double radius, const Colour& colour,
           std::string_view title) override;
  void Ring(CanvasPoint middle, double radius, const Colour& colour,
            std::string_view title) override;
  void Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) override;
  void BeginClip(CanvasPoint corner, double width, double height) override;
  void EndClip() override;

  // The document; nothing may be drawn afterwards.
  std::string Finish();

 private:
  void Circle(CanvasPoint middle, double radius, std::string_view paint, std::string_view title);

  std::string out_;
};

}  // namespace sightline
