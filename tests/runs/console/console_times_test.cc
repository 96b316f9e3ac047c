#include "sightline/runs/console/console_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;
using testing::TempDir;
using testing::WriteFileOrDie;

class ConsoleTimesTest : public ::testing::Test {
 protected:
  ConsoleTimes Times(const std::string& bytes) const {
    WriteFileOrDie(dir_.File("times"), bytes);
    return {FileSystem::Local(), dir_.File("times")};
  }

  const TempDir dir_;
  const std::string two_rows_ =
      ConsoleTime{10, 100.0}.Serialize() + ConsoleTime{50, 107.5}.Serialize();
};

TEST_F(ConsoleTimesTest, ARowIsTwoLittleEndianNumbers) {
  EXPECT_EQ((ConsoleTime{0x0102, 1.5}.Serialize()),
            std::string("\x02\x01\0\0\0\0\0\0\0\0\0\0\0\0\xf8\x3f", 16));
}

TEST_F(ConsoleTimesTest, AByteWasReadAtTheTimeOfTheRowBeforeIt) {
  const ConsoleTimes times = Times(two_rows_);
  EXPECT_EQ(times.TimeAt(9), std::nullopt);
  EXPECT_THAT(times.TimeAt(10), Optional(Eq(100.0)));
  EXPECT_THAT(times.TimeAt(49), Optional(Eq(100.0)));
  EXPECT_THAT(times.TimeAt(50), Optional(Eq(107.5)));
  EXPECT_THAT(times.TimeAt(1000), Optional(Eq(107.5)));
}

TEST_F(ConsoleTimesTest, ATimeIsAPlaceInTheConsole) {
  const ConsoleTimes times = Times(two_rows_);
  EXPECT_EQ(times.OffsetAt(99), 0U);
  EXPECT_EQ(times.OffsetAt(100), 10U);
  EXPECT_EQ(times.OffsetAt(107), 10U);
  EXPECT_EQ(times.OffsetAt(108), 50U);
}

TEST_F(ConsoleTimesTest, APartHasTheRowsThatItNeeds) {
  const ConsoleTimes times = Times(two_rows_);
  EXPECT_THAT(times.Between(0, 10), IsEmpty());
  EXPECT_THAT(times.Between(20, 50), ElementsAre(Field(&ConsoleTime::offset, 10U)));
  EXPECT_THAT(times.Between(20, 51), SizeIs(2));
}

TEST_F(ConsoleTimesTest, WhatIsNoRowIsLeftOut) {
  const ConsoleTimes times =
      Times(ConsoleTime{5, 1}.Serialize() + ConsoleTime{5, 2}.Serialize() +
            ConsoleTime{6, std::nan("")}.Serialize() + ConsoleTime{7, 3}.Serialize() + "cut off");
  EXPECT_THAT(times.Between(0, 100),
              ElementsAre(Field(&ConsoleTime::offset, 5U), Field(&ConsoleTime::offset, 7U)));
}

TEST_F(ConsoleTimesTest, WhateverTheFileHoldsTheAnswerIsAPlace) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 37);
  const ConsoleTimes times = Times(bytes);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40U, ~std::uint64_t{0}})
    (void)times.Between(offset, ~std::uint64_t{0});
  (void)times.OffsetAt(std::nan(""));
}

TEST_F(ConsoleTimesTest, WithoutAFileThereAreNone) {
  const ConsoleTimes times(FileSystem::Local(), "/nonexistent/times");
  EXPECT_TRUE(times.empty());
  EXPECT_EQ(times.TimeAt(0), std::nullopt);
  EXPECT_EQ(times.OffsetAt(1), 0U);
}

}  // namespace
}  // namespace sightline
