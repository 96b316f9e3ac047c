#include "sightline/ir/folder/dump_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/base/compress/gzip.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::IsStatus;

TEST(DumpFileSystemTest, ACompressedDumpIsReadAsAPlainOne) {
  testing::MemoryFileSystem files;
  DumpFileSystem dumps(files);
  files.Put("graphs/02_c_0002.ir.gz", Gzip(testing::SmallDump("Mul")));
  const auto compressed = ReadIr(dumps, "graphs/02_c_0002.ir.gz");
  ASSERT_TRUE(compressed);
  files.Put("graphs/02_c_0002.ir", testing::SmallDump("Mul"));
  EXPECT_EQ(compressed->lines.size(), ReadIr(dumps, "graphs/02_c_0002.ir")->lines.size());
  files.Put("graphs/03_d_0003.ir.gz", "no gzip file");
  EXPECT_THAT(ReadIr(dumps, "graphs/03_d_0003.ir.gz").error(),
              IsStatus(StatusCode::kDataLoss, "graphs/03_d_0003.ir.gz"));
}

TEST(DumpFileSystemTest, TheLimitHoldsForTheUnpackedDump) {
  testing::MemoryFileSystem files;
  std::string text = testing::SmallDump("Mul");
  const std::uint64_t most = text.size();
  DumpFileSystem dumps(files, most);
  for (const bool fits : {true, false}) {
    if (!fits) text += "\n";
    files.Put("02_c_0002.ir", text);
    files.Put("02_c_0002.ir.gz", Gzip(text));
    for (const char* path : {"02_c_0002.ir", "02_c_0002.ir.gz"}) {
      const auto read = ReadIr(dumps, path);
      ASSERT_EQ(static_cast<bool>(read), fits) << path;
      if (fits) continue;
      EXPECT_THAT(read.error().message(), ::testing::HasSubstr(path));
      EXPECT_THAT(read.error().message(), ::testing::HasSubstr(std::to_string(most) + " "));
    }
  }
}

TEST(DumpFileSystemTest, ASmallFileDoesNotUnpackToALargeOne) {
  testing::MemoryFileSystem files;
  DumpFileSystem dumps(files);
  files.Put("02_c_0002.ir.gz", Gzip(std::string(std::size_t{257} << 20U, '\n'), 1));
  EXPECT_THAT(ReadIr(dumps, "02_c_0002.ir.gz").error(),
              IsStatus(StatusCode::kDataLoss, "268435456 bytes"));
}

}  // namespace
}  // namespace sightline::ir
