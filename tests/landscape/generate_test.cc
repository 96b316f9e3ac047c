#include "sightline/landscape/generate.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

#include "sightline/landscape/landscape_job.h"
#include "sightline/landscape/record_landscape.h"
#include "sightline/tests/landscape/small_training.h"
#include "sightline/tests/support/forked_child.h"

namespace sightline::landscape {
namespace {

using sightline::testing::InForkedChild;
using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::Quadratic;
using sightline::testing::SmallTraining;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::size_t kPoints = 5 * 5 + 3 + 5 * 5 + 1;  // Of both landscapes, paths included.

class CountingLoss {
 public:
  Result<std::vector<double>> operator()(const PointParameters& point) {
    ++calls;
    return std::vector<double>{Quadratic(point.values)};
  }
  int calls = 0;
};

TEST(GenerateLandscapes, FillsEveryFieldThatMindSporeFills) {
  const SmallTraining training;
  CountingLoss loss;
  const auto made = GenerateLandscapes(training.Metadata(), std::ref(loss), {});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(*made, SizeIs(2));
  const LossLandscape& pca = made->front();
  EXPECT_EQ(pca.decomposition, "PCA");
  EXPECT_EQ(pca.unit, "epoch");
  EXPECT_EQ(pca.step_per_epoch, 7);
  EXPECT_THAT(pca.z, SizeIs(25));
  ASSERT_TRUE(pca.path.has_value());
  EXPECT_THAT(pca.path->intervals, ElementsAre(1, 2, 3));
  EXPECT_EQ(pca.path->z.back(), 0.25 + 1 + 1 + 9 + 4 + 49);
  EXPECT_EQ(pca.convergence_point, (LossLandscape::Point{0, 0, pca.path->z.back()}));
  const LossLandscape& random = made->back();
  EXPECT_EQ(random.decomposition, "Random");
  EXPECT_FALSE(random.path.has_value());
  EXPECT_EQ(random.convergence_point, (LossLandscape::Point{0, 0, random.z[12]}));
  EXPECT_EQ(loss.calls, static_cast<int>(kPoints));
}

TEST(GenerateLandscapes, RecordsEachOnceUnderMindSporesTag) {
  const SmallTraining training;
  CountingLoss loss;
  const auto made = GenerateLandscapes(training.Metadata(), std::ref(loss), {});
  const auto again = GenerateLandscapes(training.Metadata(), std::ref(loss), {});
  ASSERT_THAT(made, IsOk());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(*again, *made);
  EXPECT_EQ(loss.calls, static_cast<int>(kPoints));  // All were in the journals.
  const auto names = FileSystem::Local().List(training.path());
  ASSERT_THAT(names, IsOk());
  std::size_t files = 0;
  for (const std::string& name : *names) files += name.ends_with("_MS") ? 1U : 0U;
  EXPECT_EQ(files, 2U);
}

TEST(GenerateLandscapes, GoesOnWhereAnErrorEndedIt) {
  const SmallTraining training;
  CountingLoss whole;
  const SmallTraining other;
  const auto expected = GenerateLandscapes(other.Metadata(), std::ref(whole), {});
  ASSERT_THAT(expected, IsOk());
  int calls = 0;
  const LossFunction failing =
      [&calls](const PointParameters& point) -> Result<std::vector<double>> {
    if (++calls > 10) return Error(StatusCode::kUnavailable, "the power is out");
    return std::vector<double>{Quadratic(point.values)};
  };
  const auto ended = GenerateLandscapes(training.Metadata(), failing, {});
  ASSERT_FALSE(ended.has_value());
  EXPECT_THAT(ended.error(), IsStatus(StatusCode::kUnavailable, "the power is out"));
  CountingLoss rest;
  const auto made = GenerateLandscapes(training.Metadata(), std::ref(rest), {});
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(rest.calls, static_cast<int>(kPoints) - 10);
  EXPECT_EQ(*made, *expected);
}

TEST(GenerateLandscapes, RefusesOtherOptionsUnlessRestarted) {
  const SmallTraining training;
  CountingLoss loss;
  ASSERT_THAT(GenerateLandscapes(training.Metadata(), std::ref(loss), {}), IsOk());
  GenerateOptions other;
  other.plane.directions.normalisation = Normalisation::kFilter;
  const auto refused = GenerateLandscapes(training.Metadata(), std::ref(loss), other);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error(), IsStatus(StatusCode::kFailedPrecondition, "another landscape"));
  other.restart = true;
  loss.calls = 0;
  ASSERT_THAT(GenerateLandscapes(training.Metadata(), std::ref(loss), other), IsOk());
  EXPECT_EQ(loss.calls, static_cast<int>(kPoints));
}

TEST(GenerateLandscapes, TellsProgress) {
  const SmallTraining training;
  CountingLoss loss;
  std::vector<std::size_t> done;
  GenerateOptions options;
  options.result = false;
  options.progress = [&done](const GenerateProgress& progress) {
    EXPECT_EQ(progress.tag, "landscape_[1, 3]");
    EXPECT_EQ(progress.points, 28U);
    EXPECT_GE(progress.seconds_left, 0);
    done.push_back(progress.points_done);
  };
  ASSERT_THAT(GenerateLandscapes(training.Metadata(), std::ref(loss), options), IsOk());
  ASSERT_THAT(done, SizeIs(28));
  EXPECT_EQ(done.front(), 1U);
  EXPECT_EQ(done.back(), 28U);
}

// Killed inside the loss, at several points; the next process computes the rest and no point twice
// but the one that was in flight.
TEST(GenerateLandscapes, GoesOnWhereAKillEndedIt) {
  const SmallTraining training;
  const TrainMetadata metadata = training.Metadata();
  for (const int before : {0, 1, 7, 11}) {
    const int status = InForkedChild([&] {
      int calls = 0;
      const LossFunction loss =
          [&calls, before](const PointParameters& point) -> Result<std::vector<double>> {
        if (calls++ == before) kill(getpid(), SIGKILL);
        return std::vector<double>{Quadratic(point.values)};
      };
      static_cast<void>(GenerateLandscapes(metadata, loss, {}));
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  CountingLoss rest;
  const auto made = GenerateLandscapes(metadata, std::ref(rest), {});
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(rest.calls, static_cast<int>(kPoints) - (0 + 1 + 7 + 11));
  const SmallTraining other;
  CountingLoss whole;
  EXPECT_EQ(*made, *GenerateLandscapes(other.Metadata(), std::ref(whole), {}));
}

// The work of a child until it is killed; its exit status is that of the kill.
template <typename Body>
void ExpectKilled(Body&& body) {
  const int status = InForkedChild(std::forward<Body>(body));
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

LossFunction QuadraticLoss() {
  return [](const PointParameters& point) -> Result<std::vector<double>> {
    return std::vector<double>{Quadratic(point.values)};
  };
}

// After the journal has a point and before the next is handed out, 50 times in a row: each child
// adds one point.
TEST(GenerateLandscapes, LosesNoPointToKillsBetweenAppendAndHandOut) {
  const SmallTraining training;
  const TrainMetadata metadata = training.Metadata();
  for (int i = 0; i < 50; ++i) {
    ExpectKilled([&] {
      GenerateOptions options;
      options.progress = [](const GenerateProgress&) { kill(getpid(), SIGKILL); };
      static_cast<void>(GenerateLandscapes(metadata, QuadraticLoss(), options));
    });
  }
  CountingLoss rest;
  ASSERT_THAT(GenerateLandscapes(metadata, std::ref(rest), {}), IsOk());
  EXPECT_EQ(rest.calls, static_cast<int>(kPoints) - 50);
}

// Killed inside the loss, with two workers, 50 times: whatever the journal had it keeps, and only
// the rest is evaluated.
TEST(GenerateLandscapes, KeepsEveryPointThroughKillsInsideTheLoss) {
  const SmallTraining training;
  const TrainMetadata metadata = training.Metadata();
  int kept = 0;
  for (int i = 0; i < 50; ++i) {
    ExpectKilled([&] {
      std::atomic<int> calls = 0;
      const LossFunction loss = [&](const PointParameters& point) -> Result<std::vector<double>> {
        const int call = calls++;
        if (call == i % 2) kill(getpid(), SIGKILL);
        // The other worker must not do the rest before the signal is there.
        while (call > i % 2) pause();
        return std::vector<double>{Quadratic(point.values)};
      };
      static_cast<void>(GenerateLandscapes(metadata, loss, {.workers = 2}));
    });
    const auto plane = PlaneOfInterval(metadata, 0, {});
    ASSERT_THAT(plane, IsOk());
    const auto job = LandscapeJob::Open(*plane, metadata, {}, false);
    ASSERT_THAT(job, IsOk());
    const auto known = static_cast<int>((*job)->points().size());
    EXPECT_GE(known, kept);
    kept = known;
  }
  CountingLoss rest;
  GenerateOptions options;
  options.result = false;
  ASSERT_THAT(GenerateLandscapes(metadata, std::ref(rest), options), IsOk());
  EXPECT_EQ(rest.calls, 28 - kept);
}

// Between the event and the journal's note of it: recorded again, the same.
TEST(GenerateLandscapes, RecordsAgainWhatAKillLeftUnnoted) {
  const SmallTraining training;
  const TrainMetadata metadata = training.Metadata();
  const auto plane = PlaneOfInterval(metadata, 0, {});
  ASSERT_THAT(plane, IsOk());
  ExpectKilled([&] {
    const auto job = LandscapeJob::Open(*plane, metadata, {}, false);
    if (!job) return;
    for (std::size_t i = 0; i < PointCount(*plane); ++i)
      if (!(*job)->Add(i, {static_cast<double>(i)}).ok()) return;
    const Status recorded = RecordLandscape(FileSystem::Local(), metadata.run_directory, plane->tag,
                                            (*job)->Landscape());
    if (recorded.ok()) kill(getpid(), SIGKILL);
  });
  CountingLoss none;
  GenerateOptions options;
  options.result = false;
  const auto made = GenerateLandscapes(metadata, std::ref(none), options);
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(none.calls, 0);
  EXPECT_EQ(made->front().z[7], 7);
  const auto job = LandscapeJob::Open(*plane, metadata, {}, false);
  ASSERT_THAT(job, IsOk());
  EXPECT_TRUE((*job)->is_recorded());
}

// A kill or a full disk cuts an append short: here at every byte after the header. The point that
// was cut is open again, those before it are known, and the job continues after them.
TEST(GenerateLandscapes, LosesOnlyThePointWhoseAppendWasCut) {
  const SmallTraining training;
  const TrainMetadata metadata = training.Metadata();
  const auto plane = PlaneOfInterval(metadata, 0, {});
  ASSERT_THAT(plane, IsOk());
  const auto read = [&] {
    std::ifstream file(training.JournalPath(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  };
  std::size_t header = 0;
  std::string whole;
  {
    const auto job = LandscapeJob::Open(*plane, metadata, {}, false);
    ASSERT_THAT(job, IsOk());
    header = read().size();
    for (const std::size_t i : {0U, 1U, 2U, 3U}) ASSERT_THAT((*job)->Add(i, {0.5}), IsOk());
    whole = read();
  }
  const std::size_t record = (whole.size() - header) / 4;
  for (std::size_t size = header; size < whole.size(); ++size) {
    sightline::testing::WriteFileOrDie(training.JournalPath(), whole.substr(0, size));
    const auto job = LandscapeJob::Open(*plane, metadata, {}, false);
    ASSERT_THAT(job, IsOk());
    EXPECT_EQ((*job)->points().size(), (size - header) / record) << size;
    ASSERT_THAT((*job)->Add(9, {9}), IsOk());
    const auto content = ParsePointJournal(read());
    ASSERT_THAT(content, IsOk());
    EXPECT_EQ(content->points.size(), (size - header) / record + 1) << size;
  }
}

}  // namespace
}  // namespace sightline::landscape
