#include "sightline/export/landscape/raster_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sightline/export/landscape/stroke_font.h"

namespace sightline {
namespace {

constexpr double kRingWidth = 2;

CanvasPoint ToPixels(CanvasPoint point) {
  return {point.x * kPixelsPerPoint, point.y * kPixelsPerPoint};
}

// The distance of a point from the segment between a and b.
double Distance(CanvasPoint point, CanvasPoint a, CanvasPoint b) {
  const double along_x = b.x - a.x;
  const double along_y = b.y - a.y;
  const double length2 = along_x * along_x + along_y * along_y;
  const double part =
      length2 > 0 ? ((point.x - a.x) * along_x + (point.y - a.y) * along_y) / length2 : 0;
  const double t = std::clamp(part, 0.0, 1.0);
  return std::hypot(point.x - a.x - t * along_x, point.y - a.y - t * along_y);
}

// The part of a pixel that a line covers whose middle is `distance` away from the pixel's.
double LineCover(double distance, double half_width) {
  const double covered =
      std::min(distance + 0.5, half_width) - std::max(distance - 0.5, -half_width);
  return std::max(covered, 0.0);
}

}  // namespace

RasterCanvas::RasterCanvas(int width, int height)
    : width_(width * kPixelsPerPoint),
      height_(height * kPixelsPerPoint),
      clip_{0, 0, width_, height_},
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3, 255),
      cover_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

RasterCanvas::Box RasterCanvas::Around(CanvasPoint a, CanvasPoint b, double reach) const {
  const auto pixel = [](double at, int low, int high) {
    return static_cast<int>(std::clamp(at, static_cast<double>(low), static_cast<double>(high)));
  };
  const double from = reach + 1;
  return {pixel(std::min(a.x, b.x) - from, clip_.left, clip_.right),
          pixel(std::min(a.y, b.y) - from, clip_.top, clip_.bottom),
          pixel(std::max(a.x, b.x) + from + 1, clip_.left, clip_.right),
          pixel(std::max(a.y, b.y) + from + 1, clip_.top, clip_.bottom)};
}

template <typename Cover>
void RasterCanvas::Raise(const Box& box, Cover cover) {
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      float& covered = cover_[PixelAt(x, y)];
      covered = std::max(covered, static_cast<float>(cover(CanvasPoint{x + 0.5, y + 0.5})));
    }
  }
}

void RasterCanvas::Paint(const Box& box, const Colour& colour) {
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      const std::size_t pixel = PixelAt(x, y);
      const double covered = static_cast<double>(std::exchange(cover_[pixel], 0.0F));
      if (covered > 0) Mix(pixel, colour, covered);
    }
  }
}

void RasterCanvas::Mix(std::size_t pixel, const Colour& colour, double part) {
  const double opacity = part * colour.opacity;
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint8_t& channel = pixels_[3 * pixel + i];
    const double mixed = opacity * colour.rgb[i] + (1 - opacity) * channel;
    channel = static_cast<std::uint8_t>(std::lround(mixed));
  }
}

// A pixel belongs to the polygon that contains its middle, so neighbours share none.
void RasterCanvas::Fill(std::span<const CanvasPoint> polygon, const Colour& colour) {
  const auto [top, bottom] = std::ranges::minmax(polygon, {}, &CanvasPoint::y);
  const Box rows = Around(ToPixels(top), ToPixels(bottom), 0);
  std::vector<double> crossings;
  for (int y = rows.top; y < rows.bottom; ++y) {
    const double middle = y + 0.5;
    crossings.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const CanvasPoint a = ToPixels(polygon[i]);
      const CanvasPoint b = ToPixels(polygon[(i + 1) % polygon.size()]);
      if ((a.y <= middle) != (b.y <= middle))
        crossings.push_back(a.x + (middle - a.y) / (b.y - a.y) * (b.x - a.x));
    }
    std::ranges::sort(crossings);
    const auto first_after = [this](double edge) {
      const double x = std::ceil(edge - 0.5);
      return static_cast<int>(
          std::clamp(x, static_cast<double>(clip_.left), static_cast<double>(clip_.right)));
    };
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      for (int x = first_after(crossings[i]); x < first_after(crossings[i + 1]); ++x)
        Mix(PixelAt(x, y), colour, 1);
    }
  }
}

void RasterCanvas::Draw(std::span<const Segment> segments, const Colour& colour, double width) {
  const double half = width * kPixelsPerPoint / 2;
  const auto box_of = [&](const Segment& segment) {
    return Around(ToPixels(segment[0]), ToPixels(segment[1]), half);
  };
  for (const Segment& segment : segments) {
    const CanvasPoint a = ToPixels(segment[0]);
    const CanvasPoint b = ToPixels(segment[1]);
    Raise(box_of(segment),
          [&](CanvasPoint middle) { return LineCover(Distance(middle, a, b), half); });
  }
  // After all are raised, so that a place where lines meet is painted once.
  for (const Segment& segment : segments) Paint(box_of(segment), colour);
}

void RasterCanvas::Dot(CanvasPoint middle, double radius, const Colour& colour, std::string_view) {
  Draw(std::array<Segment, 1>{{{middle, middle}}}, colour, 2 * radius);
}

void RasterCanvas::Ring(CanvasPoint middle, double radius, const Colour& colour, std::string_view) {
  const CanvasPoint at = ToPixels(middle);
  const double pixels = radius * kPixelsPerPoint;
  const double half = kRingWidth * kPixelsPerPoint / 2;
  const Box box = Around(at, at, pixels + half);
  Raise(box, [&](CanvasPoint point) {
    return LineCover(std::abs(Distance(point, at, at) - pixels), half);
  });
  Paint(box, colour);
}

void RasterCanvas::Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) {
  if (anchor == Anchor::kMiddle) at.x -= TextWidth(text, size) / 2;
  if (anchor == Anchor::kEnd) at.x -= TextWidth(text, size);
  Draw(TextStrokes(text, at, size), {}, PenWidth(size));
}

void RasterCanvas::BeginClip(CanvasPoint corner, double width, double height) {
  const auto pixel = [](double at, int end) {
    return static_cast<int>(
        std::clamp(std::round(at * kPixelsPerPoint), 0.0, static_cast<double>(end)));
  };
  clip_ = {pixel(corner.x, width_), pixel(corner.y, height_), pixel(corner.x + width, width_),
           pixel(corner.y + height, height_)};
}

void RasterCanvas::EndClip() { clip_ = {0, 0, width_, height_}; }

}  // namespace sightline
