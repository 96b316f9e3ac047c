#include "sightline/export/png/landscape_png.h"

#include "sightline/export/landscape/landscape_drawing.h"
#include "sightline/export/png/png_canvas.h"

namespace sightline {

Result<PngImage> LandscapePng(const LossLandscape& landscape, const LandscapePicture& options) {
  PngCanvas canvas(kPictureWidth, kPictureHeight);
  SIGHTLINE_UNEXPECTED_IF_ERROR(DrawLandscape(landscape, options, canvas));
  return canvas.Finish();
}

}  // namespace sightline
