// Programs that link libsightline.a, and what libsightline.so needs where there is one.
#include <cstdlib>
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
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

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

TEST(SdkArchive, LeavesTheSharedLibraryNothingToLoadButThatOfTheLanguages) {
  const TempDir dir;
  const std::string listed = dir.File("needed");
  ASSERT_EQ(std::system(("readelf -dW " SDK_LIBRARY " > " + listed).c_str()), 0);
  std::vector<std::string> needed;
  const std::string text = ReadFileOrDie(listed);
  for (std::size_t at = text.find("(NEEDED)"); at != std::string::npos;) {
    const std::size_t begin = text.find('[', at) + 1;
    needed.push_back(text.substr(begin, text.find(']', begin) - begin));
    at = text.find("(NEEDED)", begin);
  }
  EXPECT_THAT(needed, Each(MatchesRegex("(lib(stdc\\+\\+|m|gcc_s|c)|ld-linux.*)\\.so\\.[0-9]+")));
  EXPECT_THAT(needed, Contains("libc.so.6"));
}

}  // namespace
}  // namespace sightline
