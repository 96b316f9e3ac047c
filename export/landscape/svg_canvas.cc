#include "sightline/export/landscape/svg_canvas.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace sightline {
namespace {

std::string Hex(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.rgb[0]), std::lround(colour.rgb[1]),
                     std::lround(colour.rgb[2]));
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

const char* AnchorName(Canvas::Anchor anchor) {
  switch (anchor) {
    case Canvas::Anchor::kStart:
      return "start";
    case Canvas::Anchor::kMiddle:
      return "middle";
    case Canvas::Anchor::kEnd:
      return "end";
  }
  return "start";
}

template <typename... Args>
void Add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height) {
  Add(out_,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
}

void SvgCanvas::Fill(std::span<const CanvasPoint> polygon, const Colour& colour) {
  Add(out_, "<path shape-rendering=\"crispEdges\" fill=\"{}\" d=\"", Hex(colour));
  char command = 'M';
  for (const CanvasPoint& point : polygon)
    Add(out_, "{}{:.1f} {:.1f}", std::exchange(command, 'L'), point.x, point.y);
  out_ += "Z\"/>\n";
}

void SvgCanvas::Draw(std::span<const Segment> segments, const Colour& colour, double width) {
  Add(out_,
      "<path fill=\"none\" stroke-linecap=\"round\" stroke=\"{}\" stroke-opacity=\"{:.2g}\" "
      "stroke-width=\"{:.2g}\" d=\"",
      Hex(colour), colour.opacity, width);
  for (const auto& [from, to] : segments)
    Add(out_, "M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
  out_ += "\"/>\n";
}

void SvgCanvas::Circle(CanvasPoint middle, double radius, std::string_view paint,
                       std::string_view title) {
  Add(out_, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}><title>{}</title></circle>\n",
      middle.x, middle.y, radius, paint, Escaped(title));
}

void SvgCanvas::Dot(CanvasPoint middle, double radius, const Colour& colour,
                    std::string_view title) {
  Circle(middle, radius, fmt::format("fill=\"{}\"", Hex(colour)), title);
}

void SvgCanvas::Ring(CanvasPoint middle, double radius, const Colour& colour,
                     std::string_view title) {
  Circle(middle, radius, fmt::format("fill=\"none\" stroke-width=\"2\" stroke=\"{}\"", Hex(colour)),
         title);
}

void SvgCanvas::Text(CanvasPoint at, std::string_view text, Anchor anchor, double size) {
  Add(out_, "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", at.x,
      at.y, size, AnchorName(anchor), Escaped(text));
}

void SvgCanvas::BeginClip(CanvasPoint corner, double width, double height) {
  Add(out_,
      "<clipPath id=\"p\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n"
      "<g clip-path=\"url(#p)\">\n",
      corner.x, corner.y, width, height);
}

void SvgCanvas::EndClip() { out_ += "</g>\n"; }

std::string SvgCanvas::Finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace sightline
