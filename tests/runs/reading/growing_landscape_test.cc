#include "sightline/runs/reading/growing_landscape.h"

#include <cmath>

#include "sightline/landscape/journal/point_journal.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using landscape::LandscapeOutline;
using landscape::PointJournal;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::MemoryFileSystem;
using ::testing::SizeIs;

constexpr char kJournal[] = "run/.landscape_3_Random.points";

// Two by two points around the result of three epochs.
std::string Header() {
  LandscapeOutline outline;
  outline.tag = "landscape_[3]";
  outline.decomposition = "Random";
  outline.unit = "epoch";
  outline.numbers = {3};
  outline.x = outline.y = {-1, 1};
  outline.path_x = outline.path_y = outline.distances = {0};
  return PrintOutline(outline);
}

std::vector<GrowingLandscape> Read(MemoryFileSystem& files) {
  const auto growing = ReadGrowingLandscapes("run", &files);
  EXPECT_THAT(growing, IsOk());
  return growing ? *growing : std::vector<GrowingLandscape>();
}

TEST(GrowingLandscape, GrowsWithItsJournalUntilItIsRecorded) {
  MemoryFileSystem files;
  files.Put("run/other", "");
  const auto journal = PointJournal::Open(files, kJournal, Header());
  ASSERT_THAT(journal, IsOk());
  EXPECT_THAT(Read(files), IsEmpty());
  ASSERT_THAT((*journal)->AddPoint(2, {0.5}), IsOk());
  auto growing = Read(files);
  ASSERT_THAT(growing, SizeIs(1));
  EXPECT_EQ(growing[0].tag, "landscape_[3]");
  EXPECT_EQ(growing[0].journal, kJournal);
  EXPECT_EQ(growing[0].known_points, 1U);
  EXPECT_EQ(growing[0].points, 5U);
  EXPECT_EQ(growing[0].landscape.z[2], 0.5);
  EXPECT_TRUE(std::isnan(growing[0].landscape.z[0]));
  ASSERT_THAT((*journal)->AddPoint(0, {0.25}), IsOk());
  growing = Read(files);
  EXPECT_EQ(growing[0].known_points, 2U);
  EXPECT_EQ(growing[0].landscape.z[0], 0.25);
  ASSERT_THAT((*journal)->MarkDone(), IsOk());
  EXPECT_THAT(Read(files), IsEmpty());
}

TEST(GrowingLandscape, NamesAFileThatIsNotAJournal) {
  MemoryFileSystem files;
  files.Put(kJournal, "what a user keeps here");
  EXPECT_THAT(ReadGrowingLandscapes("run", &files).error(),
              IsStatus(StatusCode::kDataLoss, kJournal));
  EXPECT_THAT(ReadGrowingLandscapes("gone", &files).error(),
              IsStatus(StatusCode::kNotFound, "gone"));
}

}  // namespace
}  // namespace sightline
