#include "sightline/export/landscape/stroke_font.h"

#include <cstddef>

namespace sightline {
namespace {

// A unit is a tenth of a capital letter's height, which is 0.72 of the font's size.
constexpr double kUnit = 0.072;
constexpr double kPen = 1.3;  // In units.
constexpr double kGap = 2.7;  // Between the strokes of neighbouring characters, in units.
constexpr int kBaseLine = 3;  // The y of the base line in kGlyphs.
constexpr int kCurveSteps = 5;

// The characters from ' ' to '~', then the box, each with a ';' at its end. Each is its width, and
// strokes after spaces. A point is two digits, x and y (0 to 9, then a to e): base line 3, small
// letters to a, capitals to d. A stroke goes through its points, unless a sign comes first: then
// the points pull a curve (a quadratic B-spline), which ends in the first and the last point (~) or
// is closed (*).
constexpr std::string_view kGlyphs =
    // From the space to /.
    "2;0 0d06 0303;2 0d0a 2d2a;7 133d 436d 0676 0a7a;6 ~6b6d0d0868630305 3e32;"
    "8 036d *0a0d3d3a *53568683;7 ~731a1d5d5a08035377;0 0d0a;2 ~2e0b0522;2 ~0e2b2502;"
    "4 2d27 0c48 4c08;6 0767 3a34;1 1301;4 0747;0 0303;5 025e;"
    // 0 to 9, then up to @.
    "6 *03080d6d6863;6 1b4d43;6 ~0b0d6d6803 0363;6 ~0b0d6d6828 ~2868630305;6 535d0666;"
    "6 5d1d08 ~081969630305;6 *03096963 ~060d5d;6 0d6d23;6 *080d6d68 *03086863;"
    "6 *070d6d67 ~6a6313;0 0404 0909;1 1919 1401;5 5a0754;6 0666 0969;5 0a5704;"
    "5 ~0b0d5d592926 2323;8 ~73030d8d86666a *262a6a66;"
    // A to Z, then up to `.
    "8 034d83 1676;6 030d ~0d3d6d683808 ~083868633303;7 ~7b7d0d08037375;7 030d ~0d3d7d78733303;"
    "6 6d0d0363 0858;6 6d0d03 0858;7 ~7b7d0d08037378 4878;7 030d 737d 0878;0 030d;5 ~5d56530306;"
    "6 030d 6d07 2963;5 0d0353;8 030d458d83;7 030d737d;8 *03080d8d8883;6 030d ~0d3d6d673707;"
    "8 *03080d8d8883 5683;6 030d ~0d3d6d673707 3763;6 ~6b6d0d0868630305;6 0d6d 3d33;"
    "7 ~0d060373767d;8 0d438d;a 0d335d73ad;6 0d63 036d;6 0d386d 3833;6 0d6d0363;2 2e0e0222;"
    "5 0e52;2 0e2e2202;6 0a3d6a;6 0262;2 0d2b;"
    // a to z, then up to ~, and the box.
    "5 *030a5a53 5a53;5 0d03 *030a5a53;5 ~595a0a035354;5 5d53 *030a5a53;5 0757 ~575a0a035354;"
    "4 ~4d1d1a13 0a4a;5 *030a5a53 ~5a54500001;5 0d03 ~070a5a5653;0 0a03 0d0d;2 ~2a232000 2d2d;"
    "5 0d03 5a06 2853;0 0d03;8 0a03 ~070a4a4643 ~474a8a8683;5 0a03 ~070a5a5653;5 *030a5a53;"
    "5 0a00 *030a5a53;5 5a50 *030a5a53;3 0a03 ~070a3a;5 ~595a0a0756530304;4 ~1c151343 0a4a;"
    "5 ~0a07035356 5a53;6 0a336a;8 0a234a638a;5 0a53 035a;6 0a33 6a20;5 0a5a0353;"
    "3 ~3e1e1808 ~08181232;0 0e02;3 ~0e2e2838 ~38282202;6 ~072a4467;6 030d6d6303;";
constexpr int kBox = '~' + 1;

std::string_view GlyphOf(int character) {
  std::string_view rest = kGlyphs;
  const bool has = character >= ' ' && character <= '~';
  for (int c = ' '; c < (has ? character : kBox); ++c) rest.remove_prefix(rest.find(';') + 1);
  return rest.substr(0, rest.find(';'));
}

// The characters of a UTF-8 text: a byte that continues one is skipped.
template <typename Use>
void ForEachGlyph(std::string_view text, Use use) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) != 0x80U) use(GlyphOf(byte));
  }
}

int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

CanvasPoint Between(CanvasPoint a, CanvasPoint b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

// The lines of one stroke of kGlyphs, in units.
std::vector<CanvasPoint> LinesOf(std::string_view stroke) {
  const char way = stroke.front();
  const bool is_curve = way == '~' || way == '*';
  if (is_curve) stroke.remove_prefix(1);
  std::vector<CanvasPoint> points;
  for (std::size_t i = 0; i + 1 < stroke.size(); i += 2) {
    points.push_back({static_cast<double>(Digit(stroke[i])),
                      static_cast<double>(Digit(stroke[i + 1]) - kBaseLine)});
  }
  if (!is_curve) return points;
  if (way == '*') {  // It begins and ends in the middle of its first side.
    points.push_back(points.front());
    points.push_back(Between(points[0], points[1]));
    points.front() = points.back();
  }
  std::vector<CanvasPoint> lines = {points.front()};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const CanvasPoint from = lines.back();
    const bool is_last = i + 2 == points.size();
    const CanvasPoint to = is_last ? points.back() : Between(points[i], points[i + 1]);
    for (int step = 1; step <= kCurveSteps; ++step) {
      const double t = static_cast<double>(step) / kCurveSteps;
      const auto mix = [t](double a, double b, double c) {
        return (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
      };
      lines.push_back({mix(from.x, points[i].x, to.x), mix(from.y, points[i].y, to.y)});
    }
  }
  return lines;
}

}  // namespace

double PenWidth(double size) { return kPen * kUnit * size; }

double TextWidth(std::string_view text, double size) {
  double units = 0;
  ForEachGlyph(text, [&](std::string_view glyph) { units += Digit(glyph.front()) + kGap; });
  return units * kUnit * size;
}

std::vector<Canvas::Segment> TextStrokes(std::string_view text, CanvasPoint at, double size) {
  std::vector<Canvas::Segment> strokes;
  const double scale = kUnit * size;
  double left = kGap / 2;
  ForEachGlyph(text, [&](std::string_view glyph) {
    for (std::size_t begin = glyph.find(' '); begin != std::string_view::npos;) {
      const std::size_t end = glyph.find(' ', begin + 1);
      const auto lines = LinesOf(glyph.substr(begin + 1, end - begin - 1));
      const auto place = [&](CanvasPoint point) {
        return CanvasPoint{at.x + (left + point.x) * scale, at.y - point.y * scale};
      };
      for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        strokes.push_back({place(lines[i]), place(lines[i + 1])});
      begin = end;
    }
    left += Digit(glyph.front()) + kGap;
  });
  return strokes;
}

}  // namespace sightline
