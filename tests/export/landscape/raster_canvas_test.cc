#include "sightline/export/landscape/raster_canvas.h"

#include <array>
#include <numbers>
#include <numeric>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

constexpr Colour kBlack = {};
constexpr int kWhite = 255;

// Coordinates are in points; two pixels are a point.
class RasterCanvasTest : public ::testing::Test {
 protected:
  // The red channel of a pixel; these tests draw in grey.
  int At(int x, int y) const {
    return canvas_.pixels()[3 * static_cast<std::size_t>(y * canvas_.width() + x)];
  }
  // How much darker than white the pixels are, in pixels of black.
  double Ink() const {
    const auto& pixels = canvas_.pixels();
    const double light = std::accumulate(pixels.begin(), pixels.end(), 0.0) / 3;
    return static_cast<double>(canvas_.width() * canvas_.height()) - light / kWhite;
  }
  void Line(CanvasPoint from, CanvasPoint to, double width, const Colour& colour = kBlack) {
    canvas_.Draw(std::array<Canvas::Segment, 1>{{{from, to}}}, colour, width);
  }

  RasterCanvas canvas_{20, 10};
};

TEST_F(RasterCanvasTest, IsWhiteAtFirst) {
  EXPECT_EQ(canvas_.width(), 40);
  EXPECT_EQ(canvas_.height(), 20);
  EXPECT_EQ(Ink(), 0);
}

TEST_F(RasterCanvasTest, FillsThePixelsWhoseMiddleIsInThePolygon) {
  canvas_.Fill(std::array<CanvasPoint, 4>{{{1, 1}, {3, 1}, {3, 2}, {1, 2}}}, kBlack);
  EXPECT_EQ(Ink(), 4 * 2);
  EXPECT_EQ(At(2, 2), 0);
  EXPECT_EQ(At(5, 3), 0);
  EXPECT_EQ(At(6, 3), kWhite);
}

// Half-transparent polygons show it: a seam would be white, a pixel in both would be darker.
TEST_F(RasterCanvasTest, NeighboursShareNoPixelAndLeaveNoSeam) {
  const Colour half = {{0, 0, 0}, 0.5};
  const CanvasPoint inside = {7.3, 4.1};
  const std::array<CanvasPoint, 4> corners = {{{0, 0}, {20, 0}, {20, 10}, {0, 10}}};
  for (std::size_t i = 0; i < 4; ++i)
    canvas_.Fill(std::array<CanvasPoint, 3>{corners[i], corners[(i + 1) % 4], inside}, half);
  for (const std::uint8_t channel : canvas_.pixels()) EXPECT_EQ(channel, 128);
}

TEST_F(RasterCanvasTest, SmoothsLinesByThePartOfAPixelThatTheyCover) {
  Line({2, 3}, {18, 3}, 1);  // Its two pixels are those above and below y = 6.
  EXPECT_EQ(At(20, 5), 0);
  EXPECT_EQ(At(20, 6), 0);
  EXPECT_EQ(At(20, 4), kWhite);
  Line({2, 7.25}, {18, 7.25}, 1);  // Half a pixel lower.
  EXPECT_EQ(At(20, 13), 128);
  EXPECT_EQ(At(20, 14), 0);
  EXPECT_EQ(At(20, 15), 128);
}

TEST_F(RasterCanvasTest, DrawsThinLinesLighter) {
  Line({2, 3.25}, {18, 3.25}, 0.25);  // Half a pixel wide.
  EXPECT_EQ(At(20, 6), 128);
}

TEST_F(RasterCanvasTest, MixesAPlaceWhereLinesMeetOnce) {
  const Colour half = {{0, 0, 0}, 0.5};
  canvas_.Draw(std::array<Canvas::Segment, 2>{{{{{2, 5}, {18, 5}}}, {{{10, 1}, {10, 9}}}}}, half,
               1);
  EXPECT_EQ(At(20, 10), 128);
  EXPECT_EQ(At(10, 10), 128);
}

TEST_F(RasterCanvasTest, DrawsDotsOfTheirArea) {
  canvas_.Dot({10, 5}, 3, kBlack, "title");
  EXPECT_NEAR(Ink(), std::numbers::pi * 6 * 6, 0.5);
}

TEST_F(RasterCanvasTest, DrawsRingsTwoPointsWide) {
  canvas_.Ring({10, 5}, 3, kBlack, "title");
  EXPECT_NEAR(Ink(), std::numbers::pi * (8 * 8 - 4 * 4), 1);
  EXPECT_EQ(At(20, 10), kWhite);
}

TEST_F(RasterCanvasTest, DrawsNothingOutsideOfItsEdgesAndOfAClip) {
  canvas_.BeginClip({5, 2}, 10, 6);
  Line({-100, 5}, {100, 5}, 4);
  canvas_.Fill(std::array<CanvasPoint, 3>{{{-50, -50}, {50, -50}, {5, 4}}}, kBlack);
  EXPECT_EQ(At(10, 10), 0);
  EXPECT_EQ(At(9, 10), kWhite);
  EXPECT_EQ(At(30, 10), kWhite);
  EXPECT_EQ(At(10, 3), kWhite);
  canvas_.EndClip();
  Line({-1e9, 5}, {1e9, 5}, 4);
  EXPECT_EQ(At(0, 10), 0);
  EXPECT_EQ(At(39, 10), 0);
}

TEST_F(RasterCanvasTest, PutsTextBeforeAroundAndAfterItsPlace) {
  const auto columns = [](Canvas::Anchor anchor) {
    RasterCanvas canvas(20, 10);
    canvas.Text({10, 8}, "8", anchor, 8);
    int first = canvas.width();
    int last = 0;
    for (int y = 0; y < canvas.height(); ++y) {
      for (int x = 0; x < canvas.width(); ++x) {
        if (canvas.pixels()[3 * static_cast<std::size_t>(y * canvas.width() + x)] > 200) continue;
        first = std::min(first, x);
        last = std::max(last, x);
      }
    }
    return std::array<int, 2>{first, last};
  };
  EXPECT_GE(columns(Canvas::Anchor::kStart)[0], 20);
  EXPECT_LT(columns(Canvas::Anchor::kEnd)[1], 20);
  const auto [first, last] = columns(Canvas::Anchor::kMiddle);
  EXPECT_NEAR(first + last + 1, 40, 1);
}

}  // namespace
}  // namespace sightline
