#include "sightline/runs/source/run_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FileOperation;
using ::testing::IsEmpty;
using testing::IsOk;

class RunFinderTest : public ::testing::Test {
 protected:
  void Put(const std::string& run) { fs_.Put(FileOf(run), ""); }
  static std::string FileOf(const std::string& run) { return run + "/" + testing::kMindSporeName; }
  // What Find says: "<root>:<name>", and "gone <root>:<name>". All are taken as unchanged.
  std::vector<std::string> Find(RunFinder& finder) {
    const RunFinder::News news = finder.Find();
    status_ = news.status;
    std::vector<std::string> found;
    for (const RunFinder::Found& run : news.listed) {
      found.push_back(std::to_string(run.key.root) + ":" + run.key.name);
      finder.Reschedule(run.directory.path, false, false);
    }
    for (const RunFinder::Key& key : news.gone)
      found.push_back("gone " + std::to_string(key.root) + ":" + key.name);
    return found;
  }

  testing::MemoryFileSystem fs_;
  testing::FaultyFileSystem files_{fs_};
  testing::ManualClock clock_{1000};
  Status status_;
};

TEST_F(RunFinderTest, FindsRunsThatAppearAndGo) {
  Put("root/a");
  Put("root/b/deep");
  RunFinder finder(fs_, {"root"});
  EXPECT_THAT(Find(finder), ElementsAre("0:a", "0:b/deep"));
  Put("root");
  ASSERT_THAT(fs_.Remove(FileOf("root/a")), IsOk());
  EXPECT_THAT(Find(finder), ElementsAre("0:.", "0:b/deep", "gone 0:a"));
  EXPECT_THAT(finder.Names(0), ElementsAre(".", "b/deep"));
}

TEST_F(RunFinderTest, FindsTheFirstRunOfARootThatHadNone) {
  ASSERT_THAT(fs_.CreateDirectories("root"), IsOk());
  RunFinder finder(fs_, {"root"});
  EXPECT_THAT(Find(finder), IsEmpty());
  Put("root/a");
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
}

TEST_F(RunFinderTest, ARunInTwoRootsBelongsToTheFirst) {
  Put("root/a");
  RunFinder outer_first(fs_, {"root", "root/a", "root"});
  EXPECT_THAT(Find(outer_first), ElementsAre("0:a"));
  RunFinder inner_first(fs_, {"root/a", "root"});
  EXPECT_THAT(Find(inner_first), ElementsAre("0:."));
}

TEST_F(RunFinderTest, AMissingRootIsAnErrorAndMayComeBack) {
  Put("other/a");
  RunFinder finder(fs_, {"root", "other"});
  EXPECT_THAT(Find(finder), ElementsAre("1:a"));
  EXPECT_EQ(status_.code(), StatusCode::kNotFound);
  Put("root/a");
  EXPECT_THAT(Find(finder), ElementsAre("0:a", "1:a"));
  EXPECT_THAT(status_, IsOk());
}

TEST_F(RunFinderTest, ARunThatCannotBeListedForAWhileStaysAndIsLookedForAgain) {
  Put("root/a");
  RunFinder finder(files_, {"root"});
  Find(finder);
  files_.FailEvery(FileOperation::kList, "root/a", StatusCode::kIoError);
  EXPECT_THAT(Find(finder), IsEmpty());
  EXPECT_EQ(status_.code(), StatusCode::kIoError);
  files_.Heal();
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
}

TEST_F(RunFinderTest, ARunThatMayNotBeReadIsGoneUntilItMay) {
  Put("root/a");
  RunFinder finder(files_, {"root"});
  Find(finder);
  files_.FailEvery(FileOperation::kList, "root/a", StatusCode::kPermissionDenied);
  EXPECT_THAT(Find(finder), ElementsAre("gone 0:a"));
  EXPECT_THAT(status_, IsOk());
  files_.Heal();
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
}

TEST_F(RunFinderTest, BacksOffWhereNothingChanges) {
  Put("root/a");
  RunFinder finder(files_, {"root"}, /*back_off=*/true, clock_);
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
  const std::uint64_t calls = files_.calls();
  clock_.seconds += 4.9;
  EXPECT_THAT(Find(finder), IsEmpty());
  EXPECT_EQ(files_.calls(), calls) << "nothing is due";
  clock_.seconds += 0.1;
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
  finder.Reschedule("root/a", /*changed=*/true, /*recording=*/false);
  clock_.seconds += 1;
  EXPECT_THAT(Find(finder), ElementsAre("0:a")) << "a second after a change";
}

TEST_F(RunFinderTest, ManyDirectoriesAreDueAHundredASecond) {
  clock_.seconds = 1e6;
  for (int i = 0; i < 999; ++i) Put("root/run" + std::to_string(i));
  RunFinder finder(files_, {"root"}, /*back_off=*/true, clock_);
  EXPECT_EQ(Find(finder).size(), 999U);
  clock_.seconds += 9.9;
  EXPECT_THAT(Find(finder), IsEmpty());
  clock_.seconds += 0.1;
  EXPECT_EQ(Find(finder).size(), 999U);
}

TEST_F(RunFinderTest, ARunThatWasNotReadOrIsRecordedIsAlwaysDue) {
  Put("root/a");
  RunFinder finder(files_, {"root"}, /*back_off=*/true, clock_);
  EXPECT_EQ(finder.Find().listed.size(), 1U);
  EXPECT_EQ(finder.Find().listed.size(), 1U);
  finder.Reschedule("root/a", /*changed=*/false, /*recording=*/true);
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
  EXPECT_THAT(Find(finder), IsEmpty());
  finder.LookAt("root/a");
  EXPECT_THAT(Find(finder), ElementsAre("0:a"));
}

TEST_F(RunFinderTest, DoesNotListADirectoryAgainThatDidNotChangeForLong) {
  testing::FaultyFileSystem files(FileSystem::Local());
  RunFinder finder(files, {testing::CorpusPath("mindspore")});
  const std::size_t runs = Find(finder).size();
  ASSERT_GT(runs, 0U);
  const std::uint64_t lists = files.calls(FileOperation::kList);
  const std::uint64_t stats = files.calls(FileOperation::kStat);
  EXPECT_EQ(Find(finder).size(), runs);
  EXPECT_EQ(files.calls(FileOperation::kList) - lists, runs) << "only the runs themselves";
  EXPECT_EQ(files.calls(FileOperation::kStat), stats);
}

}  // namespace
}  // namespace sightline
