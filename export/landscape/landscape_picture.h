// A picture of a loss landscape, from above (filled cells, contour lines) or from the side (the
// surface), with the trajectory and a colour bar.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const std::string svg, LandscapeSvg(landscape, {.title = "a run"}));
//
// Pure functions; callable from any thread.
#pragma once

#include <optional>
#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

enum class LandscapeView { kContours, kSurface };

struct LandscapePicture {
  LandscapeView view = LandscapeView::kContours;
  std::string title = {};
  // Draw the logarithm of the loss. Losses that are not positive count as missing.
  bool log_scale = false;
  std::optional<double> clip_max = {};  // Larger losses are drawn as this one.
  int contours = 10;                    // Lines of the view from above, 0 to 100.
};

// The size of a picture, and the pixels of its PNG for each of these points, along both sides.
inline constexpr int kPictureWidth = 760;
inline constexpr int kPictureHeight = 600;
inline constexpr int kPixelsPerPoint = 2;

// An SVG document. Points whose loss is not finite are grey, or holes in the surface.
// kInvalidArgument for an option out of range, and for a landscape of fewer than 2 x 2 points.
Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options);

// The same picture as a PNG file (8-bit RGB). Characters of the title that are not ASCII are drawn
// as boxes.
Result<std::string> LandscapePng(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
