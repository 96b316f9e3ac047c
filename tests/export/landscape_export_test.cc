#include <cmath>

#include "sightline/export/landscape_svg.h"
#include "sightline/export/landscape_table.h"
#include "sightline/export/landscape_vtk.h"
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
                          HasSubstr("polyline"), HasSubstr("epoch 10: 4"), Not(HasSubstr("nan"))));
  EXPECT_THAT(*LandscapeSvg(Small(), {.log_scale = true}), HasSubstr("loss (log)"));
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
