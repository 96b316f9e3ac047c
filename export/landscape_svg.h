// A picture of a loss landscape: filled cells, contour lines, the trajectory and a colour bar. Made
// without a browser or any program. Pure function; callable from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

struct LandscapePicture {
  std::string title = {};
  bool log_scale = false;               // Of the loss; what is not positive counts as missing.
  std::optional<double> clip_max = {};  // Larger losses are drawn as this one.
  int contours = 10;                    // 0 to 100 lines.
};

// An SVG document of 760 x 600. NaN and infinite points are grey. kInvalidArgument for options out
// of range and for a landscape of less than 2 x 2 points.
Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
