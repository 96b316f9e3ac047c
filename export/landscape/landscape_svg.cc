#include "sightline/export/landscape/landscape_svg.h"

#include "sightline/export/landscape/landscape_drawing.h"
#include "sightline/export/landscape/svg_canvas.h"

namespace sightline {

Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options) {
  SvgCanvas canvas(kPictureWidth, kPictureHeight);
  SIGHTLINE_UNEXPECTED_IF_ERROR(DrawLandscape(landscape, options, canvas));
  return canvas.Finish();
}

}  // namespace sightline
