// The trainer of docs/quickstart.md: compiled from the page, run, and its recording read back.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::ReadFileOrDie;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Quickstart, HasTwentyLinesOfCode) {
  const std::string source = ReadFileOrDie(QUICKSTART_SOURCE);
  EXPECT_THAT(source, HasSubstr("int main()"));
  EXPECT_EQ(std::count(source.begin(), source.end(), '\n'), 20);
}

TEST(Quickstart, RecordsItsTraining) {
  const TempDir dir;
  std::filesystem::current_path(dir.path());
  ASSERT_EQ(std::system(QUICKSTART_PROGRAM " 2> said"), 0);
  const RecordedRun run = ReadRun(dir.File("quickstart_run"));
  EXPECT_TRUE(run.sound());
  const std::vector<std::string> values = RecordedRun::Values(run.mindspore);
  EXPECT_THAT(values, Contains("1 loss/auto=21"));
  EXPECT_THAT(values, Contains(HasSubstr(" loss/auto=")).Times(51));
  EXPECT_THAT(values, Contains(HasSubstr(" line.weight/auto:histogram=2")).Times(51));
  const auto last = std::find_if(values.rbegin(), values.rend(), [](const std::string& value) {
    return value.starts_with("500 loss/auto=");
  });
  ASSERT_NE(last, values.rend());
  EXPECT_LT(std::stod(last->substr(last->find('=') + 1)), 1e-6);
  EXPECT_THAT(RecordedRun::Values(run.lineage), Contains(StartsWith("0 train:lineage=Line loss=")));
}

TEST(Quickstart, SaysTheLinesOnThePage) {
  const TempDir dir;
  std::filesystem::current_path(dir.path());
  ASSERT_EQ(std::system(QUICKSTART_PROGRAM " 2> said"), 0);
  const std::string said = ReadFileOrDie(dir.File("said"));
  EXPECT_THAT(said, StartsWith("sightline: recording step 1 and every 10th to quickstart_run; look "
                               "with: sightline serve "
                               "quickstart_run\nsightline: recorded 204 values in 53 events ("));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2);
}

}  // namespace
}  // namespace sightline
