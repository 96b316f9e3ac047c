// PngCanvas: draws a picture as pixels with cairo, two pixels for each point.
#pragma once

#include <cairo.h>

#include <memory>

#include "sightline/base/status.h"
#include "sightline/export/landscape/canvas.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

class PngCanvas : public Canvas {
 public:
  PngCanvas(double width, double height);

  void Fill(std::span<const CanvasPoint> polygon, const Colour& colour) override;
  void Draw(std::span<const Segment> segments, const Colour& colour, double width) override;
  void Dot(CanvasPoint middle, double radius, const Colour& colour,
           std::string_view title) override;
  void Ring(CanvasPoint middle, double radius, const Colour& colour,
            std::string_view title) override;
  void Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) override;
  void BeginClip(CanvasPoint corner, double width, double height) override;
  void EndClip() override;

  // The PNG; kResourceExhausted if cairo has no memory.
  Result<PngImage> Finish();

 private:
  void SetColour(const Colour& colour);

  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_;
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo_;
};

}  // namespace sightline
