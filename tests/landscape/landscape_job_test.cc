#include "sightline/landscape/landscape_job.h"

#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::SmallTraining;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LandscapeJobTest : public ::testing::Test {
 protected:
  std::unique_ptr<LandscapeJob> Open(bool restart = false) const {
    auto job = LandscapeJob::Open(plane_, metadata_, {}, restart);
    EXPECT_THAT(job, IsOk());
    return job ? *std::move(job) : nullptr;
  }

  const SmallTraining training_;
  const TrainMetadata metadata_ = training_.Metadata();
  const Plane plane_ = training_.PlaneOfAll();
};

TEST_F(LandscapeJobTest, KnowsWhatAnEarlierJobWasGiven) {
  EXPECT_THAT(Open()->OpenPoints(), SizeIs(28));
  EXPECT_THAT(Open()->Add(4, {1.5, 2.5}), IsOk());
  const auto job = Open();
  EXPECT_THAT(job->OpenPoints(), SizeIs(27));
  EXPECT_THAT(job->points().at(4), ElementsAre(1.5, 2.5));
  EXPECT_FALSE(job->is_recorded());
  EXPECT_THAT(job->MarkRecorded(), IsOk());
  EXPECT_TRUE(job->is_recorded());
}

TEST_F(LandscapeJobTest, RefusesAnotherCountOfNumbers) {
  const auto job = Open();
  EXPECT_THAT(job->Add(0, {}), IsStatus(StatusCode::kInvalidArgument, "returned 0 numbers"));
  EXPECT_THAT(job->Add(0, {1}), IsOk());
  EXPECT_THAT(job->Add(1, {1, 2}),
              IsStatus(StatusCode::kInvalidArgument, "returned 2 numbers, but 1"));
  EXPECT_THAT(job->points(), SizeIs(1));
}

TEST_F(LandscapeJobTest, ARestartThrowsThePointsAwayButNotThoseOfARunningJob) {
  {
    const auto running = Open();
    EXPECT_THAT(running->Add(0, {1}), IsOk());
    const auto refused = LandscapeJob::Open(plane_, metadata_, {}, true);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error(), IsStatus(StatusCode::kUnavailable, "in use"));
  }
  EXPECT_THAT(Open(true)->points(), IsEmpty());
}

}  // namespace
}  // namespace sightline::landscape
