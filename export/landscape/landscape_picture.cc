#include "sightline/export/landscape/landscape_picture.h"

#include "sightline/export/landscape/landscape_drawing.h"
#include "sightline/export/landscape/raster_canvas.h"
#include "sightline/export/landscape/svg_canvas.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options) {
  SvgCanvas canvas(kPictureWidth, kPictureHeight);
  SIGHTLINE_RETURN_IF_ERROR(DrawLandscape(landscape, options, canvas));
  return canvas.Finish();
}

Result<std::string> LandscapePng(const LossLandscape& landscape, const LandscapePicture& options) {
  RasterCanvas canvas(kPictureWidth, kPictureHeight);
  SIGHTLINE_RETURN_IF_ERROR(DrawLandscape(landscape, options, canvas));
  constexpr int kRgb = 3;
  return EncodePng(canvas.width(), canvas.height(), kRgb, canvas.pixels());
}

}  // namespace sightline
