// What a landscape keeps when the machine loses power, at any moment: docs/landscape.md's promise.
#include <algorithm>
#include <map>
#include <mutex>

#include "sightline/landscape/generate.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/tests/landscape/forgetful_file_system.h"
#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::ForgetfulFileSystem;
using sightline::testing::IsOk;
using sightline::testing::MemoryFileSystem;
using sightline::testing::Quadratic;
using sightline::testing::SmallTraining;

constexpr char kJournal[] = "run/.landscape_1_3_PCA.points";

// A second passes from one look to the next.
class EachLookASecond : public Clock {
 public:
  double WallSeconds() const override { return 1; }
  std::int64_t MonotonicNanos() const override { return nanos_ += 1'000'000'000; }

 private:
  mutable std::int64_t nanos_ = 0;
};

// The checkpoints and the metadata of a small training, in memory.
void Put(const SmallTraining& training, ForgetfulFileSystem& files) {
  const std::string from = training.path() + "/ckpt_dir";
  const auto names = FileSystem::Local().List(from);
  ASSERT_THAT(names, IsOk());
  for (const std::string& name : *names) {
    files.Put("run/ckpt_dir/" + name, sightline::testing::ReadFileOrDie(JoinPath(from, name)));
  }
  files.SyncEverything();
}

// One landscape of the run; how often the loss was asked is added to `calls`.
Result<std::vector<LossLandscape>> Compute(FileSystem& files, int& calls) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const TrainMetadata metadata, ReadTrainMetadata(files, "run"));
  const EachLookASecond clock;
  GenerateOptions options;
  options.result = false;
  options.files = &files;
  options.clock = &clock;
  // Heavy: several points a page.
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
  std::size_t promised = 0;  // Points that must be there.
  std::vector<std::unique_ptr<MemoryFileSystem>> found;
};

TEST(PowerLoss, AtAnyMomentKeepsWhatWasSyncedAndTheNextStartFinishes) {
  const SmallTraining training;
  ForgetfulFileSystem files;
  Put(training, files);
  std::vector<Moment> moments;
  std::size_t promised = 0;
  std::mutex mutex;  // The recorder has threads of its own.
  files.SetAfterChange([&](const std::string& path, bool is_sync) {
    const std::lock_guard lock(mutex);
    if (is_sync && path == kJournal) {
      const auto content = ReadPointJournal(files, kJournal);
      if (content) promised = content->points.size();
    }
    Moment& moment = moments.emplace_back();
    moment.promised = promised;
    for (unsigned seed = 0; seed < 2; ++seed) {
      moment.found.push_back(std::make_unique<MemoryFileSystem>());
      files.LosePowerInto(*moment.found.back(), 2 * static_cast<unsigned>(moments.size()) + seed);
    }
  });
  int calls = 0;
  const auto whole = Compute(files, calls);
  ASSERT_THAT(whole, IsOk());
  ASSERT_EQ(calls, 28);
  EXPECT_TRUE(IsRecorded(files));
  EXPECT_EQ(promised, 28U);
  ASSERT_GT(moments.size(), 40U);
  std::map<std::size_t, int> promises;
  for (const Moment& moment : moments) {
    ++promises[moment.promised];
    for (const auto& found : moment.found) {
      int rest = 0;
      const auto resumed = Compute(*found, rest);
      ASSERT_THAT(resumed, IsOk());
      EXPECT_EQ(*resumed, *whole);
      EXPECT_LE(rest, 28 - static_cast<int>(moment.promised));
      EXPECT_TRUE(IsRecorded(*found));
    }
  }
  // Five seconds of points at most are not promised.
  EXPECT_GE(promises.size(), 6U);
}

}  // namespace
}  // namespace sightline::landscape
