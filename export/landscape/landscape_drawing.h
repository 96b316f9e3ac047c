// Draws a loss landscape on a canvas, for landscape_picture.cc. It changes nothing but the canvas.
#pragma once

#include <span>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/export/landscape/canvas.h"
#include "sightline/export/landscape/landscape_picture.h"

namespace sightline {

// For both views: the losses as they are drawn, and their colours.
class LandscapeShades {
 public:
  LandscapeShades(const LossLandscape& landscape, const LandscapePicture& options);

  // The loss, clipped, and its logarithm if the options ask for that; NaN if it has none.
  double Scaled(double z) const;
  // The place of a scaled loss between the smallest of the surface (0) and the largest (1).
  double Part(double scaled) const { return high_ > low_ ? (scaled - low_) / (high_ - low_) : 0.5; }
  // The scaled loss of the point [y][x].
  double Value(std::size_t x, std::size_t y) const { return values_[y * width_ + x]; }
  double low() const { return low_; }
  double high() const { return high_; }
  // `part` from 0 to 1; grey for NaN.
  static Colour ColourAt(double part);

  // The colour bar at the picture's right.
  void DrawBar(Canvas& canvas) const;

 private:
  const LandscapePicture& options_;
  const std::size_t width_;
  std::vector<double> values_;
  double low_;
  double high_;
};

// The length of the mark of a tick.
inline constexpr double kTickLength = 4;
// Round numbers from low to high, at most `most` + 1 of them, equally spaced: multiples of 1, 2 or
// 5 times a power of ten. Only `low` if high is not above it.
std::vector<double> RoundTicks(double low, double high, int most);

// The views from above and from the side. REQUIRES: what DrawLandscape checks.
void DrawContourView(const LossLandscape& landscape, const LandscapePicture& options,
                     const LandscapeShades& shades, Canvas& canvas);
void DrawSurfaceView(const LossLandscape& landscape, const LandscapeShades& shades, Canvas& canvas);

// The trajectory along `path`, and the point of convergence if there is one.
void DrawTrajectory(const LossLandscape& landscape, std::span<const CanvasPoint> path,
                    const CanvasPoint* convergence, Canvas& canvas);

// The whole picture, kPictureWidth x kPictureHeight. kInvalidArgument: as LandscapeSvg.
Status DrawLandscape(const LossLandscape& landscape, const LandscapePicture& options,
                     Canvas& canvas);

}  // namespace sightline
