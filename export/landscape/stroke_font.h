// A font of lines, for RasterCanvas: the printable ASCII characters, each as a few strokes of a
// pen.
//
// Pure functions; callable from any thread.
#pragma once

#include <string_view>
#include <vector>

#include "sightline/export/landscape/canvas.h"

namespace sightline {

// The width of the pen, and of a text, for a font of this size.
double PenWidth(double size);
double TextWidth(std::string_view text, double size);

// The strokes of a text (UTF-8) that begins at `at`, on the base line. A character that the font
// lacks is drawn as a box.
std::vector<Canvas::Segment> TextStrokes(std::string_view text, CanvasPoint at, double size);

}  // namespace sightline
