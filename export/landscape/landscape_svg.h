// A picture of a loss landscape, from above (filled cells, contour lines) or from the side (the
// surface), with the trajectory and a colour bar. Needs no other program. Pure function; callable
// from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

enum class LandscapeView { kContours, kSurface };

struct LandscapePicture {
  LandscapeView view = LandscapeView::kContours;
  std::string title = {};
  bool log_scale = false;  // Of the loss; losses that are not positive count as missing.
  std::optional<double> clip_max = {};  // Larger losses are drawn as this one.
  int contours = 10;                    // 0 to 100 lines, seen from above.
};

// An SVG document of 760 x 600. Points whose loss is not finite are grey, or holes in the surface.
// kInvalidArgument for options out of range and for a landscape of less than 2 x 2 points.
Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
