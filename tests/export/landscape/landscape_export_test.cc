#include <array>
#include <cmath>

#include "sightline/export/landscape/landscape_picture.h"
#include "sightline/export/landscape/landscape_table.h"
#include "sightline/export/landscape/landscape_vtk.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using sightline::testing::IsOk;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

LossLandscape Small() {
  LossLandscape landscape;
  landscape.x = {-1, 0, 1};
  landscape.y = {0, 0.5};
  landscape.z = {1, 2, 3, 0.1, NAN, INFINITY};
  landscape.path = LossLandscape::Path{{10, 20}, {-0.5, 0}, {0.25, 0}, {4, 2}};
  landscape.convergence_point = LossLandscape::Point{0, 0, 2};
  landscape.unit = "epoch";
  return landscape;
}

TEST(LandscapeCsv, HasALineAPoint) {
  EXPECT_EQ(LandscapeCsv(Small()),
            "kind,step,x,y,loss\n"
            "grid,,-1,0,1\ngrid,,0,0,2\ngrid,,1,0,3\n"
            "grid,,-1,0.5,0.1\ngrid,,0,0.5,nan\ngrid,,1,0.5,inf\n"
            "path,10,-0.5,0.25,4\npath,20,0,0,2\nconvergence,,0,0,2\n");
}

TEST(LandscapeNpz, HoldsTheArraysByName) {
  const auto npz = LandscapeNpz(Small());
  ASSERT_THAT(npz, IsOk());
  EXPECT_TRUE(npz->starts_with("PK\x03\x04"));
  for (const char* name : {"x.npy", "y.npy", "z.npy", "path_steps.npy", "path_x.npy"})
    EXPECT_THAT(*npz, HasSubstr(name));
  EXPECT_THAT(*npz, HasSubstr("'shape': (2, 3)"));
}

TEST(LandscapeVtk, GivesExtentSpacingAndPath) {
  const auto vti = LandscapeVti(Small());
  ASSERT_THAT(vti, IsOk());
  EXPECT_THAT(*vti,
              AllOf(HasSubstr("WholeExtent=\"0 2 0 1 0 0\" Origin=\"-1 0 0\" Spacing=\"1 0.5 1\""),
                    HasSubstr("1 2 3 0.1 nan inf")));
  const auto vtp = LandscapeVtp(Small());
  ASSERT_THAT(vtp, IsOk());
  EXPECT_THAT(*vtp, AllOf(HasSubstr("NumberOfPoints=\"2\""), HasSubstr("-0.5 0.25 0 0 0 0"),
                          HasSubstr("10 20")));
  LossLandscape without = Small();
  without.path.reset();
  EXPECT_THAT(LandscapeVtp(without).error().ToString(), HasSubstr("no path"));
}

TEST(LandscapeSvg, DrawsCellsContoursAndThePath) {
  const auto svg = LandscapeSvg(Small(), {.title = "a < b & c"});
  ASSERT_THAT(svg, IsOk());
  EXPECT_THAT(*svg, AllOf(HasSubstr("a &lt; b &amp; c"), HasSubstr("#bbbbbb"),
                          HasSubstr("epoch 10: 4"), Not(HasSubstr("nan"))));
  EXPECT_THAT(*LandscapeSvg(Small(), {.log_scale = true}), HasSubstr("loss (log)"));
}

// A bowl of 9 x 9 points, with a path from a corner to its middle.
LossLandscape Bowl() {
  LossLandscape landscape;
  for (int i = -4; i <= 4; ++i) landscape.x.push_back(i);
  landscape.y = landscape.x;
  for (const double y : landscape.y)
    for (const double x : landscape.x) landscape.z.push_back(1 + x * x + y * y);
  landscape.path = LossLandscape::Path{{1, 2}, {-3, 0}, {-3, 0}, {19, 1}};
  landscape.convergence_point = LossLandscape::Point{0, 0, 1};
  return landscape;
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Cells are polygons of four corners; 120 are the colour bar's.
TEST(LandscapeSvg, DrawsTheSurfaceFromTheSideWithoutWhatHasNoHeight) {
  const LandscapePicture side = {.view = LandscapeView::kSurface};
  const auto whole = LandscapeSvg(Bowl(), side);
  ASSERT_THAT(whole, IsOk());
  EXPECT_EQ(Count(*whole, "crispEdges"), 120U + 8 * 8);
  LossLandscape holed = Bowl();
  holed.z[4 * 9 + 4] = NAN;  // The corner of four cells.
  EXPECT_EQ(Count(*LandscapeSvg(holed, side), "crispEdges"), 120U + 8 * 8 - 4);
}

TEST(LandscapeSvg, ClipsAndTakesLogarithms) {
  EXPECT_THAT(*LandscapeSvg(Bowl(), {}), HasSubstr(">30</text>"));
  EXPECT_THAT(*LandscapeSvg(Bowl(), {.clip_max = 10}), Not(HasSubstr(">30</text>")));
  const auto logarithmic = LandscapeSvg(Bowl(), {.log_scale = true, .clip_max = 10});
  EXPECT_THAT(*logarithmic, AllOf(HasSubstr(">10</text>"), HasSubstr(">1</text>")));
}

std::array<int, 3> PixelOf(const PngImage& image, int x, int y) {
  const auto at = 3 * static_cast<std::size_t>(y * image.width + x);
  const auto channel = [&](std::size_t i) {
    return static_cast<int>(static_cast<unsigned char>(image.bytes[at + i]));
  };
  return {channel(0), channel(1), channel(2)};
}

TEST(LandscapePng, HasThePicturesColoursAtTheirPlaces) {
  const auto png = LandscapePng(Bowl(), {.contours = 0});
  ASSERT_THAT(png, IsOk());
  const auto image = DecodePng(*png);
  ASSERT_THAT(image, IsOk());
  EXPECT_EQ(image->width, 1520);
  EXPECT_EQ(image->height, 1200);
  EXPECT_EQ(image->colorspace, 3);
  EXPECT_EQ(PixelOf(*image, 5, 5), (std::array<int, 3>{255, 255, 255}));
  EXPECT_EQ(PixelOf(*image, 170, 110), (std::array<int, 3>{253, 231, 37}));       // The largest.
  EXPECT_LT(PixelOf(*image, 2 * 350 + 30, 2 * 290)[0], 72);                       // A small one.
  EXPECT_EQ(PixelOf(*image, 2 * 655, 2 * 528), (std::array<int, 3>{68, 2, 85}));  // The bar's foot.
}

TEST(LandscapePng, DrawsBothViewsAndRefusesAsSvgDoes) {
  const auto above = LandscapePng(Bowl(), {});
  const auto side = LandscapePng(Bowl(), {.view = LandscapeView::kSurface});
  ASSERT_THAT(above, IsOk());
  ASSERT_THAT(side, IsOk());
  EXPECT_NE(*above, *side);
  EXPECT_THAT(LandscapePng(Bowl(), {.contours = 101}).error().ToString(),
              HasSubstr("contours is 101"));
}

TEST(LandscapeCsv, HasFurtherMetricsLinesAndOnlyPointsThatAreKnown) {
  LossLandscape landscape = Small();
  LossLandscape::Details details;
  details.metrics = {{1, 2, 3, 4, 5, 6, 7, 8}};
  details.evaluated = {true, true, true, true, false, false};
  details.lines = {{"second", {-1}, {0.5}, {{9}}}, {"checkpoints", {0.25}, {0.75}, {{10}}}};
  landscape.details = details;
  EXPECT_EQ(LandscapeCsv(landscape),
            "kind,step,x,y,loss,metric_1\n"
            "grid,,-1,0,1,1\ngrid,,0,0,2,2\ngrid,,1,0,3,3\ngrid,,-1,0.5,0.1,4\n"
            "path,10,-0.5,0.25,4,7\npath,20,0,0,2,8\n"
            "line_second,,0,-1,0.5,9\nline_checkpoints,,0.25,,0.75,10\n"
            "convergence,,0,0,2,\n");
  const auto npz = LandscapeNpz(landscape);
  ASSERT_THAT(npz, IsOk());
  for (const char* name : {"metrics.npy", "path_metrics.npy", "line_second_z.npy"})
    EXPECT_THAT(*npz, HasSubstr(name));
  EXPECT_THAT(*LandscapeVti(landscape), HasSubstr("Name=\"metric_1\""));
}

TEST(LandscapeSvg, RefusesWhatItCannotDraw) {
  EXPECT_THAT(LandscapeSvg(Small(), {.contours = -1}).error().ToString(),
              HasSubstr("contours is -1"));
  EXPECT_THAT(LandscapeSvg(Small(), {.clip_max = NAN}).error().ToString(), HasSubstr("clip_max"));
  LossLandscape line = Small();
  line.y = {0};
  line.z = {1, 2, 3};
  EXPECT_THAT(LandscapeSvg(line, {}).error().ToString(), HasSubstr("2 x 2"));
}

}  // namespace
}  // namespace sightline
