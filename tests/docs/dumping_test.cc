// The compiler of docs/ir.md: compiled from the page, run, and its dumps read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::ReadFileOrDie;
using testing::TempDir;

TEST(Dumping, WritesAFolderThatIsReadPassByPass) {
  const TempDir dir;
  ASSERT_EQ(std::system(("MS_DEV_SAVE_GRAPHS=1 MS_DEV_SAVE_GRAPHS_PATH=" + dir.path() + " " +
                         DUMPING_PROGRAM)
                            .c_str()),
            0);
  const auto folder = ReadFolder(LocalDumps(), dir.path(), {});
  ASSERT_THAT(folder, IsOk());
  ASSERT_EQ(folder->dumps.size(), 3);
  EXPECT_EQ(folder->dumps[0].path, "00_parse_0000.ir");
  EXPECT_EQ(folder->dumps[1].path, "opt_pass_0_cse_0001.ir");
  EXPECT_FALSE(folder->dumps[1].changed);
  EXPECT_EQ(folder->dumps[2].path, "01_optimize_0002.ir");
  EXPECT_TRUE(folder->dumps[2].changed);
  EXPECT_THAT(ReadFileOrDie(dir.File("01_optimize_0002.ir")), HasSubstr("%1(act) = GeLU(%0)"));
}

TEST(Dumping, WithoutTheVariablesWritesNothing) {
  const TempDir dir;
  ASSERT_EQ(std::system(("cd " + dir.path() + " && " DUMPING_PROGRAM).c_str()), 0);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace sightline::ir
