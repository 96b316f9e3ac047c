// A picture of a loss landscape as pixels; landscape_svg.h draws the same. Made by cairo, without a
// browser. Pure function; callable from any thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/export/landscape_svg.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

// Of 1520 x 1200 pixels. Errors as LandscapeSvg.
Result<PngImage> LandscapePng(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
