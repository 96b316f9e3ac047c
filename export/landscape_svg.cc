#include "sightline/export/landscape_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace sightline {
namespace {

// Where the surface lies in the picture.
constexpr double kLeft = 80;
constexpr double kTop = 50;
constexpr double kWidth = 540;
constexpr double kHeight = 480;
constexpr double kBarLeft = 645;
constexpr double kBarWidth = 20;
constexpr int kBarSteps = 64;
constexpr int kTicks = 5;

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

// `part` from 0 to 1; grey for NaN.
std::string Colour(double part) {
  if (!std::isfinite(part)) return "#bbbbbb";
  const double at = std::clamp(part, 0.0, 1.0) * (kColours.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kColours.size() - 2);
  const double rest = at - static_cast<double>(low);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = static_cast<int>(
        std::lround(kColours[low][i] + rest * (kColours[low + 1][i] - kColours[low][i])));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
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

class Picture {
 public:
  Picture(const LossLandscape& landscape, const LandscapePicture& options)
      : landscape_(landscape), options_(options) {
    for (const double z : landscape.z) {
      const double value = Scaled(z);
      values_.push_back(value);
      if (!std::isfinite(value)) continue;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    }
    if (low_ > high_) low_ = high_ = 0;
  }

  std::string Draw() {
    Add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"600\" "
        "viewBox=\"0 0 760 600\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"760\" height=\"600\" fill=\"white\"/>\n");
    Add("<text x=\"{}\" y=\"30\" font-size=\"16\">{}</text>\n", kLeft, Escaped(options_.title));
    DrawCells();
    DrawContours();
    DrawPath();
    DrawAxes();
    DrawBar();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  double Scaled(double z) const {
    if (options_.clip_max) z = std::min(z, *options_.clip_max);
    if (!options_.log_scale) return z;
    return z > 0 ? std::log10(z) : std::numeric_limits<double>::quiet_NaN();
  }
  double Part(double value) const { return high_ > low_ ? (value - low_) / (high_ - low_) : 0.5; }

  static double Place(double value, const std::vector<double>& axis) {
    return (value - axis.front()) / (axis.back() - axis.front());
  }
  double X(double value) const { return kLeft + kWidth * Place(value, landscape_.x); }
  double Y(double value) const { return kTop + kHeight * (1 - Place(value, landscape_.y)); }
  double Value(std::size_t x, std::size_t y) const { return values_[y * landscape_.x.size() + x]; }

  // Each point is the middle of its cell; those at the edges are cut there.
  void DrawCells() {
    Add("<clipPath id=\"p\"><rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/></clipPath>\n"
        "<g clip-path=\"url(#p)\" shape-rendering=\"crispEdges\">\n",
        kLeft, kTop, kWidth, kHeight);
    const double width = kWidth / static_cast<double>(landscape_.x.size() - 1);
    const double height = kHeight / static_cast<double>(landscape_.y.size() - 1);
    for (std::size_t y = 0; y < landscape_.y.size(); ++y) {
      for (std::size_t x = 0; x < landscape_.x.size(); ++x) {
        Add("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
            X(landscape_.x[x]) - width / 2, Y(landscape_.y[y]) - height / 2, width, height,
            Colour(Part(Value(x, y))));
      }
    }
    out_ += "</g>\n";
  }

  // Marching squares: where a level crosses the edges of each square of four points.
  void DrawContours() {
    if (options_.contours == 0 || !(high_ > low_)) return;
    out_ += "<path fill=\"none\" stroke=\"white\" stroke-opacity=\"0.7\" d=\"";
    for (int i = 1; i <= options_.contours; ++i) {
      const double level = low_ + (high_ - low_) * i / (options_.contours + 1);
      for (std::size_t y = 0; y + 1 < landscape_.y.size(); ++y)
        for (std::size_t x = 0; x + 1 < landscape_.x.size(); ++x) DrawSquare(x, y, level);
    }
    out_ += "\"/>\n";
  }

  void DrawSquare(std::size_t x, std::size_t y, double level) {
    const std::array<std::array<std::size_t, 2>, 4> corners = {
        {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
    std::array<std::array<double, 2>, 4> crossings{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& a = corners[i];
      const auto& b = corners[(i + 1) % 4];
      const double va = Value(a[0], a[1]);
      const double vb = Value(b[0], b[1]);
      if (!std::isfinite(va) || !std::isfinite(vb)) return;
      if ((va < level) == (vb < level)) continue;
      const double part = (level - va) / (vb - va);
      const double ax = X(landscape_.x[a[0]]);
      const double ay = Y(landscape_.y[a[1]]);
      crossings[count++] = {ax + part * (X(landscape_.x[b[0]]) - ax),
                            ay + part * (Y(landscape_.y[b[1]]) - ay)};
    }
    for (std::size_t i = 0; i + 1 < count; i += 2) {
      Add("M{:.1f} {:.1f}L{:.1f} {:.1f}", crossings[i][0], crossings[i][1], crossings[i + 1][0],
          crossings[i + 1][1]);
    }
  }

  void DrawPath() {
    if (const auto& path = landscape_.path) {
      out_ += "<polyline fill=\"none\" stroke=\"#d62728\" stroke-width=\"2\" points=\"";
      for (std::size_t i = 0; i < path->x.size(); ++i)
        Add("{:.1f},{:.1f} ", X(path->x[i]), Y(path->y[i]));
      out_ += "\"/>\n";
      for (std::size_t i = 0; i < path->x.size(); ++i) {
        Add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#d62728\"><title>{} {}: "
            "{:.6g}</title></circle>\n",
            X(path->x[i]), Y(path->y[i]), Escaped(landscape_.unit), path->intervals[i], path->z[i]);
      }
    }
    if (const auto& point = landscape_.convergence_point) {
      Add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"none\" stroke=\"#d62728\" "
          "stroke-width=\"2\"><title>{:.6g}</title></circle>\n",
          X(point->x), Y(point->y), point->z);
    }
  }

  void DrawAxes() {
    Add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n",
        kLeft, kTop, kWidth, kHeight);
    for (int i = 0; i <= kTicks; ++i) {
      const double part = static_cast<double>(i) / kTicks;
      const auto at = [part](const std::vector<double>& axis) {
        return axis.front() + part * (axis.back() - axis.front());
      };
      Add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.3g}</text>\n",
          kLeft + part * kWidth, kTop + kHeight + 18, at(landscape_.x));
      Add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n", kLeft - 8,
          kTop + kHeight * (1 - part) + 4, at(landscape_.y));
    }
  }

  void DrawBar() {
    const double step = kHeight / kBarSteps;
    for (int i = 0; i < kBarSteps; ++i) {
      Add("<rect x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", kBarLeft,
          kTop + kHeight - (i + 1) * step, kBarWidth, step + 0.5, Colour((i + 0.5) / kBarSteps));
    }
    for (int i = 0; i <= kTicks; ++i) {
      const double value = low_ + (high_ - low_) * i / kTicks;
      Add("<text x=\"{}\" y=\"{:.1f}\">{:.4g}</text>\n", kBarLeft + kBarWidth + 6,
          kTop + kHeight * (1 - static_cast<double>(i) / kTicks) + 4,
          options_.log_scale ? std::pow(10, value) : value);
    }
    Add("<text x=\"{}\" y=\"{}\">loss{}</text>\n", kBarLeft, kTop - 10,
        options_.log_scale ? " (log)" : "");
  }

  const LossLandscape& landscape_;
  const LandscapePicture& options_;
  std::vector<double> values_;  // Clipped and scaled.
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  std::string out_;
};

bool Spans(const std::vector<double>& axis) {
  return axis.size() >= 2 && std::isfinite(axis.front()) && std::isfinite(axis.back()) &&
         axis.back() > axis.front();
}

}  // namespace

Result<std::string> LandscapeSvg(const LossLandscape& landscape, const LandscapePicture& options) {
  constexpr int kMaxContours = 100;
  if (options.contours < 0 || options.contours > kMaxContours) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("contours is {}, but must be from 0 to {}", options.contours, kMaxContours));
  }
  if (options.clip_max && !std::isfinite(*options.clip_max))
    return Error(StatusCode::kInvalidArgument, "clip_max must be a finite number");
  if (!Spans(landscape.x) || !Spans(landscape.y) ||
      landscape.z.size() != landscape.x.size() * landscape.y.size()) {
    return Error(StatusCode::kInvalidArgument,
                 "a picture needs a landscape of 2 x 2 points and axes that rise");
  }
  return Picture(landscape, options).Draw();
}

}  // namespace sightline
