// The view of a landscape from the side: the surface, from its back to its front, trajectory, axes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sightline/export/landscape/landscape_drawing.h"

namespace sightline {
namespace {

// The unit cube is turned about its upright axis, then tilted towards the viewer.
constexpr double kTurn = 35 * std::numbers::pi / 180;
constexpr double kTilt = 30 * std::numbers::pi / 180;
constexpr double kScale = 370;  // Points of its edges.
constexpr double kHigh = 0.75;  // Its height, as a part of an edge.
constexpr double kMiddleX = 328;
constexpr double kMiddleY = 320;
constexpr int kTicks = 6;
constexpr double kMark = 0.015;  // Of an edge.
constexpr Colour kMesh = {{0, 0, 0}, 0.25};
constexpr Colour kFrame = {{120, 120, 120}, 1};

// Coordinates from 0 to 1 inside of the cube; z upwards.
CanvasPoint Project(double x, double y, double z) {
  const double across = (x - 0.5) * std::cos(kTurn) + (y - 0.5) * std::sin(kTurn);
  const double away = (y - 0.5) * std::cos(kTurn) - (x - 0.5) * std::sin(kTurn);
  const double up = (z - 0.5) * kHigh * std::cos(kTilt) + away * std::sin(kTilt);
  return {kMiddleX + kScale * across, kMiddleY - kScale * up};
}

// The distance of a place of the floor from the viewer.
double Distance(double x, double y) { return y * std::cos(kTurn) - x * std::sin(kTurn); }

double Part(double value, const std::vector<double>& axis) {
  return (value - axis.front()) / (axis.back() - axis.front());
}

struct Cell {
  std::size_t x;
  std::size_t y;
  double distance;
};

// The cells that have a height at each corner, the farthest first.
std::vector<Cell> CellsFromTheBack(const LossLandscape& landscape, const LandscapeShades& shades) {
  std::vector<Cell> cells;
  for (std::size_t y = 0; y + 1 < landscape.y.size(); ++y) {
    for (std::size_t x = 0; x + 1 < landscape.x.size(); ++x) {
      bool is_finite = true;
      for (const std::size_t i : {0U, 1U}) {
        for (const std::size_t j : {0U, 1U})
          is_finite = is_finite && std::isfinite(shades.Value(x + i, y + j));
      }
      if (!is_finite) continue;
      const double middle_x = Part((landscape.x[x] + landscape.x[x + 1]) / 2, landscape.x);
      const double middle_y = Part((landscape.y[y] + landscape.y[y + 1]) / 2, landscape.y);
      cells.push_back({x, y, Distance(middle_x, middle_y)});
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.distance > b.distance; });
  return cells;
}

void DrawCell(const LossLandscape& landscape, const LandscapeShades& shades, const Cell& cell,
              Canvas& canvas) {
  constexpr std::array<std::array<std::size_t, 2>, 4> kCorners = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  std::array<CanvasPoint, 4> polygon{};
  double height = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t x = cell.x + kCorners[i][0];
    const std::size_t y = cell.y + kCorners[i][1];
    const double part = shades.Part(shades.Value(x, y));
    height += part / 4;
    polygon[i] =
        Project(Part(landscape.x[x], landscape.x), Part(landscape.y[y], landscape.y), part);
  }
  canvas.Fill(polygon, LandscapeShades::ColourAt(height));
  std::array<Canvas::Segment, 4> edges{};
  for (std::size_t i = 0; i < 4; ++i) edges[i] = {polygon[i], polygon[(i + 1) % 4]};
  canvas.Draw(edges, kMesh, 0.4);
}

// The floor's edges and the walls at the back, and numbers along the edges in front.
void DrawFrame(const LossLandscape& landscape, Canvas& canvas) {
  const auto edge = [](std::array<double, 3> a, std::array<double, 3> b) {
    return Canvas::Segment{Project(a[0], a[1], a[2]), Project(b[0], b[1], b[2])};
  };
  canvas.Draw(
      std::array<Canvas::Segment, 9>{
          {edge({0, 0, 0}, {1, 0, 0}), edge({1, 0, 0}, {1, 1, 0}), edge({1, 1, 0}, {0, 1, 0}),
           edge({0, 1, 0}, {0, 0, 0}), edge({0, 0, 0}, {0, 0, 1}), edge({0, 1, 0}, {0, 1, 1}),
           edge({1, 1, 0}, {1, 1, 1}), edge({0, 0, 1}, {0, 1, 1}), edge({0, 1, 1}, {1, 1, 1})}},
      kFrame, 0.8);
  std::vector<Canvas::Segment> marks;
  for (const double tick : RoundTicks(landscape.x.front(), landscape.x.back(), kTicks)) {
    const double part = Part(tick, landscape.x);
    const CanvasPoint at = Project(part, -0.06, 0);
    marks.push_back(edge({part, 0, 0}, {part, -kMark, 0}));
    canvas.Text({at.x, at.y + 10}, fmt::format("{:.6g}", tick), Canvas::Anchor::kMiddle, 12);
  }
  for (const double tick : RoundTicks(landscape.y.front(), landscape.y.back(), kTicks)) {
    const double part = Part(tick, landscape.y);
    const CanvasPoint at = Project(1.06, part, 0);
    marks.push_back(edge({1, part, 0}, {1 + kMark, part, 0}));
    canvas.Text({at.x, at.y + 8}, fmt::format("{:.6g}", tick), Canvas::Anchor::kStart, 12);
  }
  canvas.Draw(marks, kFrame, 0.8);
  const CanvasPoint x = Project(0.5, -0.2, 0);
  const CanvasPoint y = Project(1.2, 0.5, 0);
  canvas.Text({x.x, x.y + 14}, "x", Canvas::Anchor::kMiddle, 13);
  canvas.Text({y.x + 8, y.y + 8}, "y", Canvas::Anchor::kStart, 13);
}

}  // namespace

void DrawSurfaceView(const LossLandscape& landscape, const LandscapeShades& shades,
                     Canvas& canvas) {
  DrawFrame(landscape, canvas);
  for (const Cell& cell : CellsFromTheBack(landscape, shades))
    DrawCell(landscape, shades, cell, canvas);
  const auto place = [&](double x, double y, double z) {
    const double part = shades.Part(shades.Scaled(z));
    return Project(Part(x, landscape.x), Part(y, landscape.y),
                   std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0);
  };
  std::vector<CanvasPoint> path;
  if (const auto& own = landscape.path) {
    for (std::size_t i = 0; i < own->x.size(); ++i)
      path.push_back(place(own->x[i], own->y[i], own->z[i]));
  }
  CanvasPoint convergence;
  if (const auto& point = landscape.convergence_point)
    convergence = place(point->x, point->y, point->z);
  DrawTrajectory(landscape, path, landscape.convergence_point ? &convergence : nullptr, canvas);
}

}  // namespace sightline
