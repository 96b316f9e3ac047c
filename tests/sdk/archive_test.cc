// Programs that link libsightline.a.
#include <cstdlib>
#include <string>

#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(SdkArchive, ServesAProgramInC) {
  const TempDir dir;
  EXPECT_EQ(std::system((SDK_C_STATIC_PROGRAM " " + dir.path()).c_str()), 0);
  EXPECT_TRUE(ReadRun(dir.path()).sound());
}

TEST(SdkArchive, ServesAProgramWithOtherProtobufZlibAndSqlite) {
  const TempDir dir;
  EXPECT_EQ(std::system((SDK_ARCHIVE_PROGRAM " " + dir.path()).c_str()), 0);
  const RecordedRun recorded = ReadRun(dir.path());
  EXPECT_TRUE(recorded.sound());
  EXPECT_THAT(RecordedRun::Values(recorded.lineage), Contains(HasSubstr("LeNet5")));
  EXPECT_THAT(RecordedRun::Values(recorded.mindspore), Contains("1 picture:image=64x64"));
}

}  // namespace
}  // namespace sightline
