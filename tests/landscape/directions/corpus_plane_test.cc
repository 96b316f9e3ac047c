// MindSpore 2.7's own answer, from the same checkpoints.
#include <cmath>
#include <nlohmann/json.hpp>

#include "sightline/landscape/directions/plane.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::ReadFileOrDie;

constexpr char kRun[] = "mindspore/lenet_landscape";

// The landscape that MindSpore recorded under this tag.
nlohmann::json RecordedLandscape(const std::string& tag) {
  const auto events = nlohmann::json::parse(ReadFileOrDie(
      CorpusPath(std::string(kRun) + "/events.out.events.summary.1795189361.0.vm_MS.json")));
  for (const auto& event : events) {
    if (!event.contains("summary")) continue;
    for (const auto& value : event["summary"]["value"])
      if (value["tag"] == tag) return value["loss_landscape"];
  }
  return {};
}

void ExpectNear(const std::vector<double>& ours, const nlohmann::json& theirs, double length) {
  const auto numbers = theirs["float_data"].get<std::vector<double>>();
  ASSERT_EQ(ours.size(), numbers.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_NEAR(ours[i], numbers[i], 1e-5 * length) << i;
}

TEST(CorpusPlane, AgreesWithMindSpore) {
  const auto metadata = ReadTrainMetadata(CorpusPath(kRun));
  ASSERT_THAT(metadata, IsOk());
  const auto plane = PlaneOfInterval(*metadata, 0, {});
  ASSERT_THAT(plane, IsOk());
  EXPECT_EQ(plane->tag, "landscape_[1, 3]");
  const auto theirs = RecordedLandscape(plane->tag);
  ASSERT_FALSE(theirs.is_null());
  const double width = plane->x.back() - plane->x.front();
  const double height = plane->y.back() - plane->y.front();
  ExpectNear(plane->x, theirs["landscape"]["x"], width);
  ExpectNear(plane->y, theirs["landscape"]["y"], height);
  ExpectNear(plane->trajectory.x, theirs["loss_path"]["points"]["x"], width);
  ExpectNear(plane->trajectory.y, theirs["loss_path"]["points"]["y"], height);
  const auto& explained = *plane->directions.explained_variance;
  EXPECT_NEAR(explained[0] + explained[1], 1, 1e-12);  // Two differences span a plane.
  EXPECT_GT(explained[0], explained[1]);
}

TEST(CorpusPlane, OfTheResultHasMindSporesAxes) {
  const auto metadata = ReadTrainMetadata(CorpusPath(kRun));
  ASSERT_THAT(metadata, IsOk());
  const auto plane = PlaneOfResult(*metadata, {});
  ASSERT_THAT(plane, IsOk());
  const auto theirs = RecordedLandscape(plane->tag);
  ASSERT_FALSE(theirs.is_null());
  ExpectNear(plane->x, theirs["landscape"]["x"], 2);
  ExpectNear(plane->y, theirs["landscape"]["y"], 2);
}

TEST(Plane, NamesEveryOptionThatIsOutOfRange) {
  const Status status = PlaneOptions{.x_size = -1, .y_size = 5000, .x_range = {{1, 0}}}.Check();
  EXPECT_THAT(status.ToString(), ::testing::AllOf(::testing::HasSubstr("x_size is -1"),
                                                  ::testing::HasSubstr("y_size is 5000"),
                                                  ::testing::HasSubstr("x_range is 1 to 0")));
}

}  // namespace
}  // namespace sightline::landscape
