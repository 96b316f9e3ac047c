#include "sightline/landscape/journal/landscape_outline.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LandscapeOutline Small() {
  LandscapeOutline outline;
  outline.tag = "landscape_[1, 2]";
  outline.decomposition = "PCA";
  outline.unit = "epoch";
  outline.step_per_epoch = 7;
  outline.num_samples = 4;
  outline.numbers = {1, 2};
  outline.x = {-0.1, 0.1};
  outline.y = {-1, 0, 1};
  outline.path_x = {0.25, 0};
  outline.path_y = {0.5, 0};
  outline.distances = {0.125, 0};
  outline.normalisation = "layer";
  outline.seed = 3;
  outline.explained_variance = {0.75, 0.25};
  outline.lines = {{"first", {-1, 1}}, {"checkpoints", {0, 0.5, 1}}};
  outline.checksum = 0xfedcba98U;
  outline.parameters = {{"w.weight", {2, 3}}};
  return outline;
}

// All points, each with its index and a further number.
PointValues All(const LandscapeOutline& outline) {
  PointValues values;
  for (std::size_t i = 0; i < PointCount(outline); ++i)
    values[i] = {static_cast<double>(i), 100.0 + static_cast<double>(i)};
  return values;
}

TEST(LandscapeOutline, ComesBackFromItsText) {
  const std::string text = PrintOutline(Small());
  const auto read = ParseOutline(text);
  ASSERT_THAT(read, IsOk());
  LandscapeOutline again = *read;
  again.parameters = Small().parameters;  // Which are not read.
  EXPECT_EQ(PrintOutline(again), text);
}

TEST(LandscapeOutline, NamesTheFieldThatIsWrong) {
  const auto whole = nlohmann::json::parse(PrintOutline(Small()));
  for (const char* field : {"tag", "unit", "numbers", "axes", "path", "distances", "seed"}) {
    nlohmann::json without = whole;
    without.erase(field);
    EXPECT_THAT(ParseOutline(without.dump()).error(), IsStatus(StatusCode::kDataLoss, field));
    nlohmann::json wrong = whole;
    wrong[field] = true;
    EXPECT_THAT(ParseOutline(wrong.dump()).error(), IsStatus(StatusCode::kDataLoss, field));
  }
  EXPECT_THAT(ParseOutline("{").error(), IsStatus(StatusCode::kDataLoss, "header"));
}

TEST(LandscapeOutline, RefusesPathsAndAxesThatAreNone) {
  LandscapeOutline outline = Small();
  outline.path_y.pop_back();
  EXPECT_THAT(ParseOutline(PrintOutline(outline)).error(), IsStatus(StatusCode::kDataLoss, "path"));
  outline = Small();
  outline.x.clear();
  EXPECT_THAT(ParseOutline(PrintOutline(outline)).error(), IsStatus(StatusCode::kDataLoss, "axes"));
}

TEST(LandscapeOutline, BecomesALandscapeWithEveryNumberInItsPlace) {
  const LossLandscape made = LandscapeOf(Small(), All(Small()));
  EXPECT_THAT(made.z, ElementsAre(0, 1, 2, 3, 4, 5));
  ASSERT_TRUE(made.path.has_value());
  EXPECT_THAT(made.path->z, ElementsAre(6, 7));
  EXPECT_EQ(made.convergence_point, (LossLandscape::Point{0, 0, 7}));
  ASSERT_TRUE(made.details.has_value());
  EXPECT_EQ(made.details->seed, 3U);
  EXPECT_EQ(made.details->normalisation, "layer");
  EXPECT_THAT(made.details->distances, ElementsAre(0.125, 0));
  EXPECT_THAT(made.details->metrics,
              ElementsAre(ElementsAre(100, 101, 102, 103, 104, 105, 106, 107)));
  ASSERT_THAT(made.details->lines, SizeIs(2));
  EXPECT_THAT(made.details->lines[0].z, ElementsAre(8, 9));
  EXPECT_THAT(made.details->lines[1].z, ElementsAre(10, 11, 12));
  EXPECT_THAT(made.details->lines[1].metrics, ElementsAre(ElementsAre(110, 111, 112)));
  EXPECT_THAT(made.details->evaluated, IsEmpty());
  EXPECT_THAT(SerializeLandscape(made), IsOk());
}

TEST(LandscapeOutline, OfSomePointsIsALandscapeThatSaysWhich) {
  const LossLandscape made = LandscapeOf(Small(), {{1, {5, 6}}, {6, {7, 8}}});
  EXPECT_TRUE(std::isnan(made.z[0]));
  EXPECT_EQ(made.z[1], 5);
  EXPECT_EQ(made.path->z[0], 7);
  EXPECT_TRUE(std::isnan(made.path->z[1]));
  EXPECT_EQ(made.details->evaluated, (std::vector<bool>{false, true, false, false, false, false}));
  EXPECT_EQ(made.details->metrics[0][1], 6);
  EXPECT_THAT(SerializeLandscape(made), IsOk());
  EXPECT_THAT(SerializeLandscape(LandscapeOf(Small(), {})), IsOk());
}

// A result's one point of the path is not drawn: MindSpore has none.
TEST(LandscapeOutline, OfOneCheckpointHasNoPath) {
  LandscapeOutline outline = Small();
  outline.numbers = {2};
  outline.path_x = outline.path_y = outline.distances = {0};
  const LossLandscape made = LandscapeOf(outline, All(outline));
  EXPECT_FALSE(made.path.has_value());
  EXPECT_EQ(made.convergence_point, (LossLandscape::Point{0.1, 0, 3}));
  EXPECT_THAT(made.details->lines[0].z, ElementsAre(7, 8));
  EXPECT_THAT(SerializeLandscape(made), IsOk());
}

}  // namespace
}  // namespace sightline::landscape
