#include "sightline/export/landscape/landscape_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sightline {
namespace {

constexpr double kBarLeft = 645;
constexpr double kBarTop = 50;
constexpr double kBarWidth = 20;
constexpr double kBarHeight = 480;
constexpr int kBarSteps = 120;
constexpr int kBarTicks = 6;
constexpr Colour kTrajectory = {{214, 39, 40}, 1};

// Nine colours of Matplotlib's viridis.
constexpr std::array<std::array<double, 3>, 9> kColours = {{{68, 1, 84},
                                                            {71, 44, 122},
                                                            {59, 81, 139},
                                                            {44, 113, 142},
                                                            {33, 144, 141},
                                                            {39, 173, 129},
                                                            {92, 200, 99},
                                                            {170, 220, 50},
                                                            {253, 231, 37}}};

// Ticks of a logarithmic axis between two positive numbers: 1, 2 and 5 times powers of ten, or
// powers of ten if there are many.
std::vector<double> LogTicks(double low, double high) {
  const double decades = std::log10(high / low);
  if (decades < 1) return RoundTicks(low, high, kBarTicks);
  std::vector<double> ticks;
  const double step = std::ceil(decades / kBarTicks);
  for (double exponent = std::floor(std::log10(low)); exponent <= std::log10(high);
       exponent += step) {
    for (const double factor : {1, 2, 5}) {
      const double tick = factor * std::pow(10, exponent);
      const bool is_shown = factor == 1 || decades < kBarTicks / 2.0;
      if (is_shown && tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks;
}

bool Spans(const std::vector<double>& axis) {
  return axis.size() >= 2 && std::isfinite(axis.front()) && std::isfinite(axis.back()) &&
         axis.back() > axis.front();
}

Status Check(const LossLandscape& landscape, const LandscapePicture& options) {
  constexpr int kMaxContours = 100;
  if (options.contours < 0 || options.contours > kMaxContours) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("contours is {}, but must be from 0 to {}", options.contours, kMaxContours));
  }
  if (options.clip_max && !std::isfinite(*options.clip_max))
    return Status(StatusCode::kInvalidArgument, "clip_max must be a finite number");
  if (Spans(landscape.x) && Spans(landscape.y) &&
      landscape.z.size() == landscape.x.size() * landscape.y.size())
    return {};
  return Status(StatusCode::kInvalidArgument,
                "a picture needs a landscape of 2 x 2 points and axes that rise");
}

}  // namespace

LandscapeShades::LandscapeShades(const LossLandscape& landscape, const LandscapePicture& options)
    : options_(options),
      width_(landscape.x.size()),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()) {
  for (const double z : landscape.z) {
    const double value = values_.emplace_back(Scaled(z));
    if (!std::isfinite(value)) continue;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  if (low_ > high_) low_ = high_ = 0;
}

double LandscapeShades::Scaled(double z) const {
  if (options_.clip_max) z = std::min(z, *options_.clip_max);
  if (!options_.log_scale) return z;
  return z > 0 ? std::log10(z) : std::numeric_limits<double>::quiet_NaN();
}

Colour LandscapeShades::ColourAt(double part) {
  if (!std::isfinite(part)) return {{187, 187, 187}, 1};
  const double at = std::clamp(part, 0.0, 1.0) * (kColours.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kColours.size() - 2);
  const double rest = at - static_cast<double>(low);
  Colour mixed;
  for (std::size_t i = 0; i < 3; ++i)
    mixed.rgb[i] = kColours[low][i] + rest * (kColours[low + 1][i] - kColours[low][i]);
  return mixed;
}

void LandscapeShades::DrawBar(Canvas& canvas) const {
  const double right = kBarLeft + kBarWidth;
  const double step = kBarHeight / kBarSteps;
  for (int i = 0; i < kBarSteps; ++i) {
    const double bottom = kBarTop + kBarHeight - i * step;
    const std::array<CanvasPoint, 4> cell = {
        {{kBarLeft, bottom}, {right, bottom}, {right, bottom - step}, {kBarLeft, bottom - step}}};
    canvas.Fill(cell, ColourAt((i + 0.5) / kBarSteps));
  }
  const auto ticks = options_.log_scale ? LogTicks(std::pow(10, low_), std::pow(10, high_))
                                        : RoundTicks(low_, high_, kBarTicks);
  for (const double tick : ticks) {
    const double part = Part(options_.log_scale ? std::log10(tick) : tick);
    const double y = kBarTop + kBarHeight * (1 - part);
    canvas.Draw(std::array<Canvas::Segment, 1>{{{{{right, y}, {right + kTickLength, y}}}}}, {}, 1);
    canvas.Text({right + 8, y + 4}, fmt::format("{:.6g}", tick), Canvas::Anchor::kStart, 12);
  }
  canvas.Text({kBarLeft, kBarTop - 14}, options_.log_scale ? "loss (log)" : "loss",
              Canvas::Anchor::kStart, 12);
}

std::vector<double> RoundTicks(double low, double high, int most) {
  if (!(high > low)) return {low};
  const double smallest = (high - low) / most;
  const double power = std::pow(10, std::floor(std::log10(smallest)));
  double step = 10 * power;
  for (const double factor : {5, 2, 1})
    if (factor * power >= smallest) step = factor * power;
  constexpr double kRounding = 1e-9;  // Of a step.
  const double first = std::ceil(low / step - kRounding);
  std::vector<double> ticks;
  for (int i = 0; i <= most; ++i) {
    const double tick = (first + i) * step;
    if (tick <= high + kRounding * step) ticks.push_back(tick);
  }
  return ticks;
}

void DrawTrajectory(const LossLandscape& landscape, std::span<const CanvasPoint> path,
                    const CanvasPoint* convergence, Canvas& canvas) {
  std::vector<Canvas::Segment> segments;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) segments.push_back({path[i], path[i + 1]});
  if (!segments.empty()) canvas.Draw(segments, kTrajectory, 2);
  for (std::size_t i = 0; i < path.size(); ++i) {
    canvas.Dot(path[i], 3, kTrajectory,
               fmt::format("{} {}: {:.6g}", landscape.unit, landscape.path->intervals[i],
                           landscape.path->z[i]));
  }
  if (convergence != nullptr) {
    canvas.Ring(*convergence, 6, kTrajectory,
                fmt::format("{:.6g}", landscape.convergence_point->z));
  }
}

Status DrawLandscape(const LossLandscape& landscape, const LandscapePicture& options,
                     Canvas& canvas) {
  SIGHTLINE_RETURN_IF_ERROR(Check(landscape, options));
  const LandscapeShades shades(landscape, options);
  canvas.Text({80, 30}, options.title, Canvas::Anchor::kStart, 16);
  switch (options.view) {
    case LandscapeView::kContours:
      DrawContourView(landscape, options, shades, canvas);
      break;
    case LandscapeView::kSurface:
      DrawSurfaceView(landscape, shades, canvas);
      break;
  }
  shades.DrawBar(canvas);
  return {};
}

}  // namespace sightline
