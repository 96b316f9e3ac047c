#include "sightline/landscape/point_journal.h"

#include <unistd.h>

#include <cmath>

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

std::string ProblemOf(const Result<std::unique_ptr<PointJournal>>& journal) {
  return journal ? "none" : journal.error().ToString();
}

TEST(PointJournal, KeepsPointsForTheNextOwner) {
  const TempDir directory;
  const std::string path = directory.File(".landscape_1_3_PCA.points");
  {
    const auto journal = PointJournal::Open(path, "{\"tag\":1}");
    ASSERT_THAT(journal, IsOk());
    EXPECT_THAT((*journal)->AddPoint(4, {0.5, INFINITY}), IsOk());
    EXPECT_THAT((*journal)->AddPoint(1, {2.5, -1}), IsOk());
  }
  const auto journal = PointJournal::Open(path, "{\"tag\":1}");
  ASSERT_THAT(journal, IsOk());
  EXPECT_THAT((*journal)->content().points,
              ElementsAre(Pair(1, ElementsAre(2.5, -1)), Pair(4, ElementsAre(0.5, INFINITY))));
  EXPECT_FALSE((*journal)->content().done);
}

TEST(PointJournal, LosesNothingWholeHoweverItWasCut) {
  const TempDir directory;
  const std::string path = directory.File("points");
  {
    const auto journal = PointJournal::Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->AddPoint(0, {1}), IsOk());
  }
  const std::size_t first = ReadFileOrDie(path).size();
  {
    const auto journal = PointJournal::Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->AddPoint(1, {2}), IsOk());
  }
  const std::string whole = ReadFileOrDie(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    WriteFileOrDie(path, whole.substr(0, size));
    {
      const auto journal = PointJournal::Open(path, "{}");
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
  const auto journal = PointJournal::Open(path, "{}");
  ASSERT_THAT(journal, IsOk());
  EXPECT_THAT(ProblemOf(PointJournal::Open(path, "{}")),
              AllOf(HasSubstr("is in use by"), HasSubstr("\"pid\":" + std::to_string(getpid()))));
}

TEST(PointJournal, OfAnotherLandscapeIsNotTouched) {
  const TempDir directory;
  const std::string path = directory.File("points");
  ASSERT_THAT(PointJournal::Open(path, "{\"seed\":1}"), IsOk());
  const std::string before = ReadFileOrDie(path);
  EXPECT_THAT(ProblemOf(PointJournal::Open(path, "{\"seed\":2}")),
              HasSubstr("holds points of another landscape"));
  EXPECT_EQ(ReadFileOrDie(path), before);
  WriteFileOrDie(path, "something else that a user keeps here");
  EXPECT_THAT(ProblemOf(PointJournal::Open(path, "{}")), HasSubstr("no journal"));
  EXPECT_EQ(ReadFileOrDie(path), "something else that a user keeps here");
}

TEST(PointJournal, RemembersThatItsLandscapeWasRecorded) {
  const TempDir directory;
  const std::string path = directory.File("points");
  {
    const auto journal = PointJournal::Open(path, "{}");
    ASSERT_THAT(journal, IsOk());
    ASSERT_THAT((*journal)->MarkDone(), IsOk());
  }
  const auto journal = PointJournal::Open(path, "{}");
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
