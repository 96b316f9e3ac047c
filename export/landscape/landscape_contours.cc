// The view of a landscape from above: cells, contour lines, trajectory, axes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sightline/export/landscape/landscape_drawing.h"

namespace sightline {
namespace {

// The place of the surface in the picture.
constexpr double kLeft = 80;
constexpr double kTop = 50;
constexpr double kWidth = 540;
constexpr double kHeight = 480;
constexpr int kTicks = 9;

class ContourView {
 public:
  ContourView(const LossLandscape& landscape, const LandscapeShades& shades, Canvas& canvas)
      : landscape_(landscape), shades_(shades), canvas_(canvas) {}

  void Draw(int contours) {
    canvas_.BeginClip({kLeft, kTop}, kWidth, kHeight);
    DrawCells();
    DrawContours(contours);
    std::vector<CanvasPoint> path;
    if (const auto& own = landscape_.path)
      for (std::size_t i = 0; i < own->x.size(); ++i) path.push_back(Place(own->x[i], own->y[i]));
    CanvasPoint convergence;
    if (const auto& point = landscape_.convergence_point) convergence = Place(point->x, point->y);
    DrawTrajectory(landscape_, path, landscape_.convergence_point ? &convergence : nullptr,
                   canvas_);
    canvas_.EndClip();
    DrawAxes();
  }

 private:
  static double Part(double value, const std::vector<double>& axis) {
    return (value - axis.front()) / (axis.back() - axis.front());
  }
  CanvasPoint Place(double x, double y) const {
    return {kLeft + kWidth * Part(x, landscape_.x), kTop + kHeight * (1 - Part(y, landscape_.y))};
  }
  CanvasPoint PointAt(std::size_t x, std::size_t y) const {
    return Place(landscape_.x[x], landscape_.y[y]);
  }

  // Each point is the middle of its cell; those at the edges are cut there.
  void DrawCells() {
    const double width = kWidth / static_cast<double>(landscape_.x.size() - 1) / 2;
    const double height = kHeight / static_cast<double>(landscape_.y.size() - 1) / 2;
    for (std::size_t y = 0; y < landscape_.y.size(); ++y) {
      for (std::size_t x = 0; x < landscape_.x.size(); ++x) {
        const auto [middle_x, middle_y] = PointAt(x, y);
        const std::array<CanvasPoint, 4> cell = {{{middle_x - width, middle_y - height},
                                                  {middle_x + width, middle_y - height},
                                                  {middle_x + width, middle_y + height},
                                                  {middle_x - width, middle_y + height}}};
        canvas_.Fill(cell, LandscapeShades::ColourAt(shades_.Part(shades_.Value(x, y))));
      }
    }
  }

  // Marching squares: where a level crosses the edges of each square of four points.
  void DrawContours(int contours) {
    if (contours == 0 || !(shades_.high() > shades_.low())) return;
    std::vector<Canvas::Segment> segments;
    for (int i = 1; i <= contours; ++i) {
      const double level = shades_.low() + (shades_.high() - shades_.low()) * i / (contours + 1);
      for (std::size_t y = 0; y + 1 < landscape_.y.size(); ++y)
        for (std::size_t x = 0; x + 1 < landscape_.x.size(); ++x) AddSquare(x, y, level, segments);
    }
    canvas_.Draw(segments, {{255, 255, 255}, 0.7}, 1);
  }

  void AddSquare(std::size_t x, std::size_t y, double level,
                 std::vector<Canvas::Segment>& segments) const {
    const std::array<std::array<std::size_t, 2>, 4> corners = {
        {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
    std::array<CanvasPoint, 4> crossings{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& a = corners[i];
      const auto& b = corners[(i + 1) % 4];
      const double va = shades_.Value(a[0], a[1]);
      const double vb = shades_.Value(b[0], b[1]);
      if (!std::isfinite(va) || !std::isfinite(vb)) return;
      if ((va < level) == (vb < level)) continue;
      const double part = (level - va) / (vb - va);
      const CanvasPoint from = PointAt(a[0], a[1]);
      const CanvasPoint to = PointAt(b[0], b[1]);
      crossings[count++] = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
    }
    for (std::size_t i = 0; i + 1 < count; i += 2)
      segments.push_back({crossings[i], crossings[i + 1]});
  }

  void DrawAxes() {
    const CanvasPoint a = {kLeft, kTop};
    const CanvasPoint b = {kLeft + kWidth, kTop};
    const CanvasPoint c = {kLeft + kWidth, kTop + kHeight};
    const CanvasPoint d = {kLeft, kTop + kHeight};
    canvas_.Draw(std::array<Canvas::Segment, 4>{{{a, b}, {b, c}, {c, d}, {d, a}}}, {}, 1);
    std::vector<Canvas::Segment> marks;
    for (const double tick : RoundTicks(landscape_.x.front(), landscape_.x.back(), kTicks)) {
      const CanvasPoint at = {Place(tick, landscape_.y.front()).x, kTop + kHeight};
      marks.push_back({{{at.x, at.y}, {at.x, at.y + kTickLength}}});
      canvas_.Text({at.x, at.y + 20}, fmt::format("{:.6g}", tick), Canvas::Anchor::kMiddle, 12);
    }
    for (const double tick : RoundTicks(landscape_.y.front(), landscape_.y.back(), kTicks)) {
      const CanvasPoint at = {kLeft, Place(landscape_.x.front(), tick).y};
      marks.push_back({{{at.x - kTickLength, at.y}, {at.x, at.y}}});
      canvas_.Text({at.x - 8, at.y + 4}, fmt::format("{:.6g}", tick), Canvas::Anchor::kEnd, 12);
    }
    canvas_.Draw(marks, {}, 1);
  }

  const LossLandscape& landscape_;
  const LandscapeShades& shades_;
  Canvas& canvas_;
};

}  // namespace

void DrawContourView(const LossLandscape& landscape, const LandscapePicture& options,
                     const LandscapeShades& shades, Canvas& canvas) {
  ContourView(landscape, shades, canvas).Draw(options.contours);
}

}  // namespace sightline
