#include "sightline/export/png/png_canvas.h"

#include <numbers>
#include <string>
#include <utility>

namespace sightline {
namespace {

constexpr double kScale = 2;  // Pixels a point.

cairo_status_t Append(void* out, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

PngCanvas::PngCanvas(double width, double height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * kScale),
                                          static_cast<int>(height * kScale)),
               &cairo_surface_destroy),
      cairo_(cairo_create(surface_.get()), &cairo_destroy) {
  cairo_scale(cairo_.get(), kScale, kScale);
  SetColour({{255, 255, 255}, 1});
  cairo_paint(cairo_.get());
  cairo_set_line_cap(cairo_.get(), CAIRO_LINE_CAP_ROUND);
  cairo_select_font_face(cairo_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
}

void PngCanvas::SetColour(const Colour& colour) {
  cairo_set_source_rgba(cairo_.get(), colour.rgb[0] / 255, colour.rgb[1] / 255, colour.rgb[2] / 255,
                        colour.opacity);
}

void PngCanvas::Fill(std::span<const CanvasPoint> polygon, const Colour& colour) {
  SetColour(colour);
  for (const CanvasPoint& point : polygon) cairo_line_to(cairo_.get(), point.x, point.y);
  cairo_set_antialias(cairo_.get(), CAIRO_ANTIALIAS_NONE);
  cairo_fill(cairo_.get());
  cairo_set_antialias(cairo_.get(), CAIRO_ANTIALIAS_DEFAULT);
}

void PngCanvas::Draw(std::span<const Segment> segments, const Colour& colour, double width) {
  SetColour(colour);
  cairo_set_line_width(cairo_.get(), width);
  for (const auto& [from, to] : segments) {
    cairo_move_to(cairo_.get(), from.x, from.y);
    cairo_line_to(cairo_.get(), to.x, to.y);
  }
  cairo_stroke(cairo_.get());
}

void PngCanvas::Dot(CanvasPoint middle, double radius, const Colour& colour, std::string_view) {
  SetColour(colour);
  cairo_arc(cairo_.get(), middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
  cairo_fill(cairo_.get());
}

void PngCanvas::Ring(CanvasPoint middle, double radius, const Colour& colour, std::string_view) {
  SetColour(colour);
  cairo_set_line_width(cairo_.get(), 2);
  cairo_new_path(cairo_.get());
  cairo_arc(cairo_.get(), middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
  cairo_stroke(cairo_.get());
}

void PngCanvas::Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) {
  SetColour({});
  cairo_set_font_size(cairo_.get(), size);
  const std::string words(text);
  cairo_text_extents_t extents{};
  cairo_text_extents(cairo_.get(), words.c_str(), &extents);
  double x = at.x;
  if (anchor == Anchor::kMiddle) x -= extents.x_advance / 2;
  if (anchor == Anchor::kEnd) x -= extents.x_advance;
  cairo_move_to(cairo_.get(), x, at.y);
  cairo_show_text(cairo_.get(), words.c_str());
  cairo_new_path(cairo_.get());
}

void PngCanvas::BeginClip(CanvasPoint corner, double width, double height) {
  cairo_save(cairo_.get());
  cairo_rectangle(cairo_.get(), corner.x, corner.y, width, height);
  cairo_clip(cairo_.get());
}

void PngCanvas::EndClip() { cairo_restore(cairo_.get()); }

Result<PngImage> PngCanvas::Finish() {
  std::string png;
  cairo_status_t status = cairo_status(cairo_.get());
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream(surface_.get(), &Append, &png);
  if (status == CAIRO_STATUS_SUCCESS) {
    constexpr int kRgb = 3;
    return PngImage{cairo_image_surface_get_width(surface_.get()),
                    cairo_image_surface_get_height(surface_.get()), kRgb, std::move(png)};
  }
  return Error(StatusCode::kResourceExhausted,
               std::string("cairo cannot draw the picture: ") + cairo_status_to_string(status));
}

}  // namespace sightline
