// The picture of landscape_svg.h as pixels, drawn by cairo. Pure function; callable from any
// thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/export/landscape/landscape_svg.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

// A PNG of 1520 x 1200 pixels. Errors: those of LandscapeSvg.
Result<PngImage> LandscapePng(const LossLandscape& landscape, const LandscapePicture& options);

}  // namespace sightline
