#include "sightline/base/compress/zip_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace sightline {
namespace {

template <typename Number>
Number NumberAt(const std::string& bytes, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

// The Python tests read archives by zipfile and NumPy.
TEST(ZipWriterTest, StoresFilesAndListsThemAtTheEnd) {
  std::string zip;
  ZipWriter writer([&](std::string_view bytes) { zip += bytes; });
  writer.Add("a.npy", "some bytes");
  const std::size_t second = zip.size();
  writer.Add("\u00e9", "");
  const std::size_t directory = zip.size();
  writer.Finish();

  EXPECT_EQ(zip.find("PK\x03\x04"), 0);
  EXPECT_EQ(NumberAt<std::uint32_t>(zip, 14), 0x9f597f55U) << "CRC-32";
  EXPECT_EQ(zip.substr(30, 5), "a.npy");
  EXPECT_EQ(NumberAt<std::uint64_t>(zip, 30 + 5 + 4), 10U) << "size";
  EXPECT_EQ(zip.substr(second - 10, 10), "some bytes");
  EXPECT_EQ(zip.find("PK\x03\x04", 1), second);
  EXPECT_EQ(zip.find("PK\x01\x02"), directory);

  const std::size_t end = zip.find("PK\x06\x06");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(NumberAt<std::uint64_t>(zip, end + 32), 2U) << "files";
  EXPECT_EQ(NumberAt<std::uint64_t>(zip, end + 40), end - directory) << "bytes of the directory";
  EXPECT_EQ(NumberAt<std::uint64_t>(zip, end + 48), directory);
  EXPECT_EQ(NumberAt<std::uint64_t>(zip, end - 8), second) << "where the second file begins";
}

TEST(ZipWriterTest, AFileMayComeInParts) {
  std::string whole;
  ZipWriter of_whole([&](std::string_view bytes) { whole += bytes; });
  of_whole.Add("a.npy", "some bytes");
  of_whole.Finish();
  std::string parted;
  ZipWriter of_parts([&](std::string_view bytes) { parted += bytes; });
  const auto parts = [](const auto& take) -> Status {
    take("some ");
    take("bytes");
    return {};
  };
  EXPECT_TRUE(of_parts.AddParts("a.npy", parts).ok());
  of_parts.Finish();
  EXPECT_EQ(parted, whole);
}

TEST(ZipWriterTest, PartsThatFailLeaveNothing) {
  std::string zip;
  ZipWriter writer([&](std::string_view bytes) { zip += bytes; });
  const Status failed = writer.AddParts("a.npy", [](const auto& take) -> Status {
    take("some");
    return Status(StatusCode::kDataLoss, "torn");
  });
  EXPECT_EQ(failed.code(), StatusCode::kDataLoss);
  EXPECT_EQ(zip, "");
}

}  // namespace
}  // namespace sightline
