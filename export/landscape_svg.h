// A picture of a loss landscape, from above (filled cells, contour lines) or from the side (the
// surface), with the trajectory and a colour bar. Made without a browser or any program. Pure
// function; callable from any thread.
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
  bool log_scale = false;               // Of the loss; what is not positive counts as missing.
  std::optional<double> clip_max = {};  // Larger losses are drawn as this one.
  int contours = 10;                    // 0 to 100 lines, seen from above.
};

// An SVG document of 760 x 600. NaN and infinite points are grey, or holes of the surface.
// kInvalidArgument for options out of range and for a landscape of less than 2 x 2 points.
Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
