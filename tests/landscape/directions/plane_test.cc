#include "sightline/landscape/directions/plane.h"

#include <cmath>

#include "sightline/landscape/surface/surface.h"
#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::SmallTraining;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A direction for the small training, of six numbers.
Checkpoint Direction(const std::vector<float>& v) {
  const auto bytes = std::make_shared<std::string>(
      sightline::testing::MindSporeTensor("w.weight", {2, 2}, {v[0], v[1], v[2], v[3]}) +
      sightline::testing::MindSporeTensor("b.bias", {2}, {v[4], v[5]}));
  return *Checkpoint::Parse("direction.ckpt", *bytes, bytes);
}

class PlaneTest : public ::testing::Test {
 protected:
  Result<Plane> OfInterval(const PlaneOptions& options) const {
    return PlaneOfInterval(training_.Metadata(), 0, options);
  }
  Result<Plane> OfResult(const PlaneOptions& options) const {
    return PlaneOfResult(training_.Metadata(), options);
  }
  static PlaneOptions Given(std::vector<Checkpoint> directions) {
    PlaneOptions options;
    options.given_directions = std::move(directions);
    options.directions.normalisation = Normalisation::kNone;
    return options;
  }

  const SmallTraining training_;
};

TEST_F(PlaneTest, LinesRunAlongBothDirectionsAndBetweenTheCheckpoints) {
  PlaneOptions options;
  options.line_size = 8;
  const auto plane = OfInterval(options);
  ASSERT_THAT(plane, IsOk());
  ASSERT_THAT(plane->lines, SizeIs(3));
  EXPECT_EQ(plane->lines[0].along, kAlongFirst);
  EXPECT_EQ(plane->lines[0].at.front(), plane->x.front());
  EXPECT_EQ(plane->lines[1].at.back(), plane->y.back());
  EXPECT_THAT(plane->lines[2].at.front(), -0.2);
  EXPECT_EQ(PointCount(*plane), 25U + 3 + 3 * 8);
  const auto result = OfResult(options);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->lines, SizeIs(2));  // There is one checkpoint.
}

TEST_F(PlaneTest, ALineBetweenCheckpointsInterpolates) {
  PlaneOptions options;
  options.line_size = 8;  // -0.2, 0, ... 1, 1.2
  const auto plane = OfInterval(options);
  ASSERT_THAT(plane, IsOk());
  const std::vector<float> first = {1, 2, 3, 4, 5, 6};
  const std::vector<float> last = {0.5F, 1, 1, 3, 2, 7};
  std::vector<float> values(6);
  for (std::size_t i = PointCount(*plane) - 8; i < PointCount(*plane); ++i) {
    const PlanePoint point = PointAt(*plane, i);
    ASSERT_TRUE(point.is_between_checkpoints);
    FormPoint(*plane, last, point, values);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_FLOAT_EQ(values[k], static_cast<float>((1 - point.x) * first[k] + point.x * last[k]));
  }
}

TEST_F(PlaneTest, AnAxisOfOnePointIsALineThroughTheLastCheckpoint) {
  PlaneOptions options;
  options.x_size = 9;
  options.y_size = 1;
  const auto plane = OfInterval(options);
  ASSERT_THAT(plane, IsOk());
  EXPECT_THAT(plane->x, SizeIs(9));
  EXPECT_THAT(plane->y, ElementsAre(0));
  EXPECT_THAT(OfResult(options)->y, ElementsAre(0));
  // Its lines reach as far as they would beside a surface.
  options.line_size = 3;
  const auto lines = OfInterval(options)->lines;
  options.y_size = 9;
  EXPECT_EQ(lines[1].at.back(), OfInterval(options)->y.back());
}

TEST_F(PlaneTest, TakesTheDirectionsThatAreGiven) {
  const auto plane =
      OfInterval(Given({Direction({1, 0, 0, 0, 0, 0}), Direction({0, 0, 2, 0, 0, 0})}));
  ASSERT_THAT(plane, IsOk());
  EXPECT_EQ(plane->decomposition, "Given");
  EXPECT_FALSE(plane->directions.explained_variance.has_value());
  EXPECT_THAT(plane->directions.first, ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(plane->trajectory.x, ElementsAre(0.5, 1.5, 0));  // Of w[0, 0] from the last, 0.5.
  EXPECT_THAT(plane->trajectory.y, ElementsAre(1, 0, 0));      // Of w[1, 0], in units of 2.
  const auto result =
      OfResult(Given({Direction({1, 0, 0, 0, 0, 0}), Direction({0, 0, 2, 0, 0, 0})}));
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->tag, "landscape_[3]");
}

TEST_F(PlaneTest, GivesOneDirectionARandomOrthogonalSecond) {
  PlaneOptions options = Given({Direction({1, 2, 0, 0, 0, 2})});
  EXPECT_THAT(OfInterval(options).error(),
              IsStatus(StatusCode::kInvalidArgument, "given_directions has 1"));
  options.directions.random_second = true;
  const auto plane = OfInterval(options);
  ASSERT_THAT(plane, IsOk());
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    product += static_cast<double>(plane->directions.first[i]) * plane->directions.second[i];
    square += static_cast<double>(plane->directions.second[i]) * plane->directions.second[i];
  }
  EXPECT_NEAR(product, 0, 1e-6);
  EXPECT_NEAR(square, 9, 1e-5);  // As long as the first.
}

TEST_F(PlaneTest, RefusesDirectionsThatAreNone) {
  const auto refusal = [this](Checkpoint direction) {
    const auto plane = OfInterval(Given({Direction({1, 0, 0, 0, 0, 0}), std::move(direction)}));
    return plane ? Status() : plane.error();
  };
  EXPECT_THAT(refusal(Direction({0, 0, 0, 0, 0, 0})),
              IsStatus(StatusCode::kInvalidArgument, "direction.ckpt: this direction is zero"));
  EXPECT_THAT(
      refusal(Direction({0, NAN, 0, 0, 0, 0})),
      IsStatus(StatusCode::kInvalidArgument, "direction.ckpt: a direction cannot hold NaN"));
  EXPECT_THAT(refusal(Direction({2, 0, 0, 0, 0, 0})),
              IsStatus(StatusCode::kInvalidArgument, "parallel"));
  const auto other = std::make_shared<std::string>(
      sightline::testing::MindSporeTensor("w.weight", {2, 2}, {1, 2, 3, 4}));
  EXPECT_THAT(refusal(*Checkpoint::Parse("short.ckpt", *other, other)),
              IsStatus(StatusCode::kNotFound, "short.ckpt has no parameter 'b.bias'"));
  EXPECT_THAT(OfInterval({}), IsOk());
  EXPECT_THAT(OfInterval({})->lines, IsEmpty());
}

TEST_F(PlaneTest, NamesTheOptionThatIsOutOfRange) {
  PlaneOptions options;
  options.line_size = 4097;
  EXPECT_THAT(
      OfInterval(options).error(),
      IsStatus(StatusCode::kInvalidArgument, "line_size is 4097, but must be from 0 to 4096"));
}

}  // namespace
}  // namespace sightline::landscape
