// Landscapes whose process is killed in the middle of its writes: of the journal of points and of
// the finished landscape.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <memory>
#include <utility>

#include "sightline/landscape/generate.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/tests/landscape/small_training.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"

namespace sightline::landscape {
namespace {

using sightline::testing::FaultyFileSystem;
using sightline::testing::InForkedChild;
using sightline::testing::IsOk;
using sightline::testing::Quadratic;
using sightline::testing::SmallTraining;

enum class Writes { kOfTheJournal, kOfEventFiles };

// The real file system. Kills the process at the n-th of these writes: after half of its bytes, or
// after all of them.
class KillingFileSystem : public FaultyFileSystem {
 public:
  KillingFileSystem(Writes writes, int nth, bool is_torn)
      : FaultyFileSystem(FileSystem::Local()), writes_(writes), left_(nth), is_torn_(is_torn) {}

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override {
    SIGHTLINE_ASSIGN_OR_RETURN(auto inner, FaultyFileSystem::OpenForWrite(path, mode));
    const Writes writes = path.ends_with(".points") ? Writes::kOfTheJournal : Writes::kOfEventFiles;
    if (writes != writes_) return inner;
    return std::make_unique<Writer>(*this, std::move(inner));
  }

 private:
  class Writer : public WritableFile {
   public:
    Writer(KillingFileSystem& files, std::unique_ptr<WritableFile> inner)
        : files_(files), inner_(std::move(inner)) {}
    Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
      if (--files_.left_ != 0) return inner_->WriteAt(offset, bytes);
      const std::size_t part = files_.is_torn_ ? bytes.size() / 2 : bytes.size();
      static_cast<void>(inner_->WriteAt(offset, bytes.substr(0, part)));
      kill(getpid(), SIGKILL);
      return {};
    }
    Status Truncate(std::uint64_t size) override { return inner_->Truncate(size); }
    Result<std::uint64_t> Size() const override { return inner_->Size(); }
    Status Sync() override { return inner_->Sync(); }
    Status Close() override { return inner_->Close(); }

   private:
    KillingFileSystem& files_;
    const std::unique_ptr<WritableFile> inner_;
  };

  const Writes writes_;
  std::atomic<int> left_;
  const bool is_torn_;
};

class KillPointsTest : public ::testing::Test {
 protected:
  static constexpr int kPoints = 9 * 9 + 3;

  // Computes the interval's landscape; each point that is evaluated adds a byte to a file.
  Result<std::vector<LossLandscape>> Compute(FileSystem& files) const {
    TrainMetadata metadata = metadata_;
    metadata.file_system = &files;
    GenerateOptions options;
    options.result = false;
    const LossFunction loss = [this](const PointParameters& point) -> Result<std::vector<double>> {
      std::ofstream(Log(), std::ios::app) << '.';
      return std::vector<double>{Quadratic(point.values)};
    };
    return GenerateLandscapes(metadata, loss, options);
  }
  int EvaluatedPoints() const {
    return static_cast<int>(FileSystem::Local().Stat(Log()).value_or(FileInfo()).size);
  }

  // Whether a child of this process was killed by the file system.
  bool IsKilledBy(KillingFileSystem& files) const {
    const int status = InForkedChild([&] { static_cast<void>(Compute(files)); });
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

  // Landscapes in the run's event files, each checked against `expected`.
  int Recorded(const LossLandscape& expected) const {
    int count = 0;
    const auto names = FileSystem::Local().List(training_.path());
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      if (!name.ends_with("_MS")) continue;
      auto reader = EventReader::Open(FileSystem::Local(), JoinPath(training_.path(), name));
      EXPECT_THAT(reader, IsOk());
      while (reader && (*reader)->Next() == ReadOutcome::kRecord) {
        for (const ValueView& value : (*reader)->event().values) {
          const auto landscape = ParseLandscape(value.message);
          EXPECT_THAT(landscape, IsOk());
          if (landscape) {
            EXPECT_EQ(landscape->z.size(), expected.z.size());
          }
          ++count;
        }
      }
      if (reader) {
        EXPECT_TRUE((*reader)->skipped().empty()) << name;
      }
    }
    return count;
  }

  const SmallTraining training_{9};
  const TrainMetadata metadata_ = training_.Metadata();

 private:
  std::string Log() const { return training_.path() + "/evaluated"; }
};

// The writes of a start are the note of its owner, then a point each.
TEST_F(KillPointsTest, FiftyKillsInTheJournalsAppendLoseOnlyThePointsInFlight) {
  int torn_points = 0;
  for (int i = 0; i < 50; ++i) {
    const int nth = 1 + i % 4;
    const bool is_torn = i % 2 == 0;
    KillingFileSystem files(Writes::kOfTheJournal, i == 0 ? 3 : nth,
                            is_torn);  // The magic, the header.
    ASSERT_TRUE(IsKilledBy(files)) << i;
    if (i != 0 && is_torn && nth > 1) ++torn_points;
  }
  EXPECT_GT(torn_points, 10);
  const auto made = Compute(FileSystem::Local());
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(EvaluatedPoints(), kPoints + torn_points);
  const SmallTraining other(9);
  GenerateOptions options;
  options.result = false;
  const auto whole = GenerateLandscapes(
      other.Metadata(),
      [](const PointParameters& point) -> Result<std::vector<double>> {
        return std::vector<double>{Quadratic(point.values)};
      },
      options);
  ASSERT_THAT(whole, IsOk());
  EXPECT_EQ(*made, *whole);
}

// At each write of the event file, until there is none to be killed at.
TEST_F(KillPointsTest, AKillInTheFinalWriteLeavesALandscapeToRecord) {
  int kills = 0;
  for (int nth = 1; kills < 100; ++nth) {
    KillingFileSystem torn(Writes::kOfEventFiles, nth, true);
    const bool was_torn = IsKilledBy(torn);
    KillingFileSystem whole(Writes::kOfEventFiles, nth, false);
    const bool was_killed = IsKilledBy(whole);
    kills += (was_torn ? 1 : 0) + (was_killed ? 1 : 0);
    if (!was_torn && !was_killed) break;
  }
  EXPECT_GT(kills, 2);
  EXPECT_LT(kills, 100);
  const auto made = Compute(FileSystem::Local());
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(EvaluatedPoints(), kPoints);
  EXPECT_GE(Recorded(made->front()), 1);
}

}  // namespace
}  // namespace sightline::landscape
