#include "sightline/landscape/journal/point_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <ctime>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

Result<std::unique_ptr<PointJournal>> Open(const std::string& path, const std::string& header) {
  return PointJournal::Open(FileSystem::Local(), path, header);
}

std::string ProblemOf(const Result<std::unique_ptr<PointJournal>>& journal) {
  return journal ? "none" : journal.error().ToString();
}

TEST(PointJournal, KeepsPointsForTheNextOwner) {
  const TempDir directory;
  const std::string path = directory.File(".landscape_1_3_PCA.points");
  {
    const auto journal = Open(path, "{\"tag\":1}");
    ASSERT_THAT(journal, IsOk());
    EXPECT_THAT((*journal)->AddPoint(4, {0.5, INFINITY}), IsOk());
    EXPECT_THAT((*journal)->AddPoint(1, {2.5, -1}), IsOk());
  }
  const auto journal = Open(path, "{\"tag\":1}");
  ASSERT_THAT(journal, IsOk());
  EXPECT_THAT((*journal)->content().points,
              ElementsAre(Pair(1, ElementsAre(2.5, -1)), Pair(4, ElementsAre(0.5, INFINITY))));
  EXPECT_FALSE((*journal)->content().done);
}

TEST(PointJournal, LosesNothingWholeHoweverItWasCut) {
  const TempDir directory;
  const std::string path = directory.File("points");
  {
    const auto journal = Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->AddPoint(0, {1}), IsOk());
  }
  const std::size_t first = ReadFileOrDie(path).size();
  std::string whole;
  {
    const auto journal = Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->AddPoint(1, {2}), IsOk());
    whole = ReadFileOrDie(path);
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    WriteFileOrDie(path, whole.substr(0, size));
    {
      const auto journal = Open(path, "{}");
      ASSERT_THAT(journal, IsOk()) << size;
      if (size >= first) {
        EXPECT_THAT((*journal)->content().points, ElementsAre(Pair(0, ElementsAre(1)))) << size;
      }
      ASSERT_THAT((*journal)->AddPoint(9, {3}), IsOk());
    }
    const auto again = ParsePointJournal(ReadFileOrDie(path));
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(again->bytes, ReadFileOrDie(path).size()) << size;  // The torn part was cut off.
    EXPECT_TRUE(again->points.contains(9)) << size;
  }
}

TEST(PointJournal, IsOfOneJobAtATime) {
  const TempDir directory;
  const std::string path = directory.File("points");
  const auto journal = Open(path, "{}");
  ASSERT_THAT(journal, IsOk());
  EXPECT_THAT(ProblemOf(Open(path, "{}")),
              AllOf(HasSubstr("is in use by"), HasSubstr("\"pid\":" + std::to_string(getpid()))));
}

// Such as a worker that loads data, which ends some time after its trainer.
TEST(PointJournal, IsFreeWhenItsOwnerIsKilledThoughAForkedChildLives) {
  const TempDir directory;
  const std::string path = directory.File("points");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const int status = testing::InForkedChild([&] {
    const auto journal = Open(path, "{}");
    if (!journal) _exit(1);
    if (fork() == 0) {
      const pid_t self = getpid();
      if (write(ready[1], &self, sizeof(self)) != sizeof(self)) _exit(2);
      for (;;) pause();
    }
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  pid_t child = 0;
  ASSERT_EQ(read(ready[0], &child, sizeof(child)), static_cast<ssize_t>(sizeof(child)));
  EXPECT_EQ(ProblemOf(Open(path, "{}")), "none");
  kill(child, SIGKILL);
  close(ready[0]);
  close(ready[1]);
}

// A record of the journal.
std::string Record(const std::string& payload) {
  std::string record;
  wire::AppendFixed(record, static_cast<std::uint32_t>(payload.size()));
  wire::AppendFixed(record, crc32c::Value(payload));
  return record + payload;
}

// A journal whose newest owner is on another machine, and which was touched so long ago.
void WriteOfAnotherMachine(const std::string& path, std::int64_t seconds_ago) {
  WriteFileOrDie(path, "SLPOINT1" + Record("H{}") + Record(R"(O{"host":"elsewhere","pid":7})"));
  const timespec then = {time(nullptr) - seconds_ago, 0};
  const timespec times[] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(PointJournal, IsRefusedWhileAnotherMachineTouchesIt) {
  const TempDir directory;
  const std::string path = directory.File("points");
  WriteOfAnotherMachine(path, 20);
  const std::string before = ReadFileOrDie(path);
  EXPECT_THAT(ProblemOf(Open(path, "{}")),
              AllOf(HasSubstr("is in use by"), HasSubstr("\"host\":\"elsewhere\"")));
  EXPECT_EQ(ReadFileOrDie(path), before);
  EXPECT_THAT(*FileSystem::Local().List(directory.path()), ElementsAre("points"));
}

TEST(PointJournal, OfASilentOwnerOnAnotherMachineIsTakenOver) {
  const TempDir directory;
  const std::string path = directory.File("points");
  WriteOfAnotherMachine(path, 120);
  EXPECT_THAT(Open(path, "{}"), IsOk());
}

TEST(PointJournal, NamesNoOwnerOnceThatHasLetGo) {
  const TempDir directory;
  const std::string path = directory.File("points");
  {
    const auto journal = Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    EXPECT_THAT(ReadPointJournal(FileSystem::Local(), path)->owner, HasSubstr("\"pid\":"));
  }
  EXPECT_THAT(ReadPointJournal(FileSystem::Local(), path)->owner, IsEmpty());
}

TEST(PointJournal, IsFoundInItsDirectory) {
  const TempDir directory;
  const std::string path = directory.File(".landscape_1_3_PCA.points");
  ASSERT_THAT(Open(path, "{}"), IsOk());
  WriteFileOrDie(directory.File("points"), "");
  const auto found = ListPointJournals(FileSystem::Local(), directory.path());
  ASSERT_THAT(found, IsOk());
  EXPECT_THAT(*found, ElementsAre(path));
}

TEST(PointJournal, OfAnotherLandscapeIsNotTouched) {
  const TempDir directory;
  const std::string path = directory.File("points");
  ASSERT_THAT(Open(path, "{\"seed\":1}"), IsOk());
  const std::string before = ReadFileOrDie(path);
  EXPECT_THAT(ProblemOf(Open(path, "{\"seed\":2}")),
              HasSubstr("holds points of another landscape"));
  EXPECT_EQ(ReadFileOrDie(path), before);
  WriteFileOrDie(path, "something else that a user keeps here");
  EXPECT_THAT(ProblemOf(Open(path, "{}")), HasSubstr("not a journal"));
  EXPECT_EQ(ReadFileOrDie(path), "something else that a user keeps here");
}

// Another user may have put it there, in a directory that both can write.
TEST(PointJournal, IsNotWrittenWhereALinkLeads) {
  const TempDir directory;
  WriteFileOrDie(directory.File("victim"), "");
  ASSERT_EQ(symlink("victim", directory.File("points").c_str()), 0);
  EXPECT_THAT(ProblemOf(Open(directory.File("points"), "{}")), HasSubstr("points"));
  EXPECT_EQ(ReadFileOrDie(directory.File("victim")), "");
}

TEST(PointJournal, RemembersThatItsLandscapeWasRecorded) {
  const TempDir directory;
  const std::string path = directory.File("points");
  {
    const auto journal = Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->MarkDone(), IsOk());
  }
  const auto journal = Open(path, "{}");
  ASSERT_THAT(journal, IsOk());
  EXPECT_TRUE((*journal)->content().done);
  EXPECT_THAT((*journal)->content().points, IsEmpty());
}

TEST(PointJournal, HasANameThatNoReaderOfEventFilesTakes) {
  EXPECT_EQ(PointJournalName("landscape_[1, 3]", "PCA"), ".landscape_1_3_PCA.points");
  EXPECT_EQ(PointJournalName("landscape_[3]", "Random"), ".landscape_3_Random.points");
}

}  // namespace
}  // namespace sightline::landscape
