#include "sightline/export/landscape_svg.h"

#include "sightline/export/landscape_drawing.h"
#include "sightline/export/svg_canvas.h"

namespace sightline {

Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options) {
  SvgCanvas canvas(kPictureWidth, kPictureHeight);
  SIGHTLINE_UNEXPECTED_IF_ERROR(DrawLandscape(landscape, options, canvas));
  return canvas.Finish();
}

}  // namespace sightline
