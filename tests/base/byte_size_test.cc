#include "sightline/base/byte_size.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace sightline {
namespace {

TEST(ByteSizeTest, ANumberWithoutAUnitIsInBytes) {
  EXPECT_EQ(ParseByteSize("0"), 0);
  EXPECT_EQ(ParseByteSize("17"), 17);
  EXPECT_EQ(ParseByteSize("17B"), 17);
  EXPECT_EQ(ParseByteSize("9223372036854775807"), INT64_MAX);
}

TEST(ByteSizeTest, UnitsArePowersOf1000) {
  EXPECT_EQ(ParseByteSize("3kB"), 3'000);
  EXPECT_EQ(ParseByteSize("512 MB"), 512'000'000);
  EXPECT_EQ(ParseByteSize("58gb"), 58'000'000'000);
  EXPECT_EQ(ParseByteSize("9223372TB"), 9'223'372'000'000'000'000);
}

TEST(ByteSizeTest, UnitsWithAnIArePowersOf1024) {
  EXPECT_EQ(ParseByteSize("3KiB"), 3 << 10);
  EXPECT_EQ(ParseByteSize("3 mib"), 3 << 20);
  EXPECT_EQ(ParseByteSize("4GiB"), std::int64_t{4} << 30);
  EXPECT_EQ(ParseByteSize("8388607TiB"), std::int64_t{8388607} << 40);
}

TEST(ByteSizeTest, NothingElseIsASize) {
  for (const char* text : {"", "GB", "-1", "1.5GB", "4GX", "4 G B", "4G", "4iB", "4GBs", " 4",
                           "9223372036854775808", "9223373TB", "8388608TiB"}) {
    EXPECT_EQ(ParseByteSize(text), std::nullopt) << text;
  }
}

TEST(ByteSizeTest, IsPrintedInPowersOf1000) {
  EXPECT_EQ(FormatByteSize(0), "0 B");
  EXPECT_EQ(FormatByteSize(999), "999 B");
  EXPECT_EQ(FormatByteSize(1000), "1.0 kB");
  EXPECT_EQ(FormatByteSize(999'960), "1.0 MB");
  EXPECT_EQ(FormatByteSize(1'599'320), "1.6 MB");
  EXPECT_EQ(FormatByteSize(2'500'000'000'000'000), "2500.0 TB");
}

}  // namespace
}  // namespace sightline
