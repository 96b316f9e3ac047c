// What a landscape keeps when the machine loses power, at any moment: docs/landscape.md's promise.
#include <algorithm>
#include <mutex>
#include <random>

#include "sightline/landscape/generate.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/tests/landscape/small_training.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/losing_file_system.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline::landscape {
namespace {

using sightline::testing::FaultyFileSystem;
using sightline::testing::FileOperation;
using sightline::testing::IsOk;
using sightline::testing::LosingDisk;
using sightline::testing::LosingFileSystem;
using sightline::testing::MemoryFileSystem;
using sightline::testing::Quadratic;
using sightline::testing::SmallTraining;

// A second passes between two calls.
class EachLookASecond : public Clock {
 public:
  double WallSeconds() const override { return 1; }
  std::int64_t MonotonicNanos() const override { return nanos_ += 1'000'000'000; }

 private:
  mutable std::int64_t nanos_ = 0;
};

// Computes one landscape of the run, and adds the number of calls of the loss to `calls`.
Result<std::vector<LossLandscape>> Compute(FileSystem& files, const std::string& run, int& calls) {
  SIGHTLINE_ASSIGN_OR_RETURN(const TrainMetadata metadata, ReadTrainMetadata(run, {}, &files));
  const EachLookASecond clock;
  GenerateOptions options;
  options.result = false;
  options.clock = &clock;
  // Large points, several of them in a page.
  const LossFunction loss = [&calls](const PointParameters& point) -> Result<std::vector<double>> {
    ++calls;
    std::vector<double> measured(60, point.x);
    measured.front() = Quadratic(point.values);
    return measured;
  };
  return GenerateLandscapes(metadata, loss, options);
}

bool IsRecorded(const MemoryFileSystem& files) {
  const auto names = files.Files("run");
  return std::any_of(names.begin(), names.end(), [&files](const std::string& name) {
    return name.ends_with("_MS") && files.Get(name).find("landscape_[1, 3]") != std::string::npos;
  });
}

// A moment of the work at which the power may go.
struct Moment {
  std::size_t known = 0;  // Points in the journal.
  LosingDisk disk;
};

// A look at the clock comes with each point: of the points of less than five seconds these are all.
constexpr std::size_t kYoung = 5;

TEST(PowerLoss, AtAnyMomentKeepsWhatIsFiveSecondsOldAndTheNextStartFinishes) {
  const SmallTraining training;
  LosingFileSystem losing(FileSystem::Local(), training.path());
  // Nothing is mapped: what is mapped is never synced.
  FaultyFileSystem files(losing);
  files.FailEvery(FileOperation::kMappablePath, "", StatusCode::kUnimplemented);
  std::vector<Moment> moments;
  std::mutex mutex;  // The recorder has threads of its own.
  losing.AtEachCall([&] {
    const std::lock_guard lock(mutex);
    const auto content = ReadPointJournal(FileSystem::Local(), training.JournalPath());
    moments.push_back({content ? content->points.size() : 0, losing.Disk()});
  });
  int calls = 0;
  const auto whole = Compute(files, training.path(), calls);
  ASSERT_THAT(whole, IsOk());
  ASSERT_EQ(calls, 28);
  ASSERT_GT(moments.size(), 80U);
  std::mt19937 random(1);
  bool is_any_lost = false;
  for (std::size_t i = 0; i < moments.size(); i += 2) {
    MemoryFileSystem found;
    for (const auto& [path, bytes] : moments[i].disk.AfterPowerLoss(random).files)
      found.Put("run/" + path, bytes);
    int rest = 0;
    const auto resumed = Compute(found, "run", rest);
    ASSERT_THAT(resumed, IsOk());
    EXPECT_EQ(*resumed, *whole);
    const std::size_t promised = moments[i].known - std::min(moments[i].known, kYoung);
    EXPECT_LE(rest, 28 - static_cast<int>(promised));
    is_any_lost = is_any_lost || rest > 28 - static_cast<int>(moments[i].known);
    EXPECT_TRUE(IsRecorded(found));
  }
  EXPECT_TRUE(is_any_lost);
}

}  // namespace
}  // namespace sightline::landscape
