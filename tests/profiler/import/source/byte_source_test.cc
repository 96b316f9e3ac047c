#include "sightline/profiler/import/source/byte_source.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

TEST(ByteSourceTest, ASmallFileDoesNotUnpackWithoutEnd) {
  // 4 GB of blanks in 4 MB.
  const std::string member = Gzip(std::string(std::size_t{1} << 26U, ' '));
  std::string packed;
  for (int i = 0; i < 64; ++i) packed += member;
  testing::MemoryFileSystem files;
  files.Put("trace.json.gz", packed);
  auto source = OpenByteSource(files, "trace.json.gz");
  ASSERT_TRUE(source);
  std::vector<char> buffer(std::size_t{1} << 20U);
  std::uint64_t unpacked = 0;
  auto read = (*source)->Read(buffer);
  for (; read && *read > 0; read = (*source)->Read(buffer)) unpacked += *read;
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), testing::IsStatus(StatusCode::kDataLoss, "more than 100 times"));
  EXPECT_LT(unpacked, std::uint64_t{1} << 29U);
}

}  // namespace
}  // namespace sightline::profiler
