#include "sightline/runs/console/console_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::Eq;
using ::testing::Optional;
using testing::TempDir;
using testing::WriteFileOrDie;

class ConsoleReaderTest : public ::testing::Test {
 protected:
  ConsoleReader Console(const std::string& bytes) {
    WriteFileOrDie(dir_.File("console.log"), bytes);
    return ConsoleReader(*FileSystem::Local().OpenForRead(dir_.File("console.log")));
  }

  const TempDir dir_;
};

TEST_F(ConsoleReaderTest, PartsAreWholeLines) {
  const ConsoleReader console = Console("one\ntwo\nthree\nfour\n");
  const ConsolePart part = *console.From(5, 12);
  EXPECT_EQ(part.bytes, "two\nthree\n");
  EXPECT_EQ(part.begin, 4U);
  EXPECT_EQ(part.end, 14U);
  EXPECT_EQ(console.From(part.end, 100)->bytes, "four\n");
  EXPECT_EQ(console.Before(part.begin, 100)->bytes, "one\n");
  EXPECT_EQ(console.Before(14, 9)->bytes, "three\n");
}

TEST_F(ConsoleReaderTest, ALastLineWithoutAnEndIsRead) {
  EXPECT_EQ(Console("one\ntwo").From(4, 100)->bytes, "two");
}

TEST_F(ConsoleReaderTest, ALineThatIsTooLongComesInPieces) {
  const ConsoleReader console = Console(std::string(100, 'a') + "\nb\n");
  std::string all;
  for (std::uint64_t at = 0; at < *console.Size();) {
    const ConsolePart part = *console.From(at, 30);
    ASSERT_GT(part.end, at);
    all += part.bytes.substr(at - part.begin);
    at = part.end;
  }
  EXPECT_EQ(all, std::string(100, 'a') + "\nb\n");
}

TEST_F(ConsoleReaderTest, BeyondTheEndThereIsNothing) {
  const ConsoleReader console = Console("one\n");
  EXPECT_EQ(console.From(1000, 10)->bytes, "");
  EXPECT_EQ(console.From(1000, 10)->begin, 4U);
  EXPECT_EQ(console.Before(0, 10)->bytes, "");
}

TEST_F(ConsoleReaderTest, LinesAroundAPlace) {
  const ConsoleReader console = Console("1\n2\n3\n4\n5\n");
  EXPECT_EQ(console.Around(4, 1000, 1)->bytes, "2\n3\n");
  EXPECT_EQ(console.Around(4, 1000, 2)->bytes, "1\n2\n3\n4\n");
  EXPECT_EQ(console.Around(0, 1000, 2)->bytes, "1\n2\n");
  EXPECT_EQ(console.Around(10, 1000, 2)->bytes, "4\n5\n");
  EXPECT_EQ(console.Around(4, 1000, 100)->bytes, "1\n2\n3\n4\n5\n");
}

TEST_F(ConsoleReaderTest, ATextIsFoundInBothDirectionsAndCases) {
  const ConsoleReader console = Console("loss 1\nLoss 2\nloss 3\n");
  EXPECT_THAT(console.FindAfter("LOSS", 1)->offset, Optional(Eq(7U)));
  EXPECT_THAT(console.FindAfter("loss", 7)->offset, Optional(Eq(7U)));
  EXPECT_THAT(console.FindBefore("loss", 14)->offset, Optional(Eq(7U)));
  EXPECT_THAT(console.FindBefore("loss", 1000)->offset, Optional(Eq(14U)));
  EXPECT_EQ(console.FindAfter("lost", 0)->offset, std::nullopt);
  EXPECT_EQ(console.FindBefore("loss", 0)->offset, std::nullopt);
}

TEST_F(ConsoleReaderTest, ATextAcrossPiecesIsFound) {
  const std::size_t piece = std::size_t{1} << 20U;
  const ConsoleReader console =
      Console(std::string(piece - 2, '.') + "error" + std::string(piece - 2, '.'));
  EXPECT_THAT(console.FindAfter("error", 0)->offset, Optional(Eq(piece - 2)));
  EXPECT_THAT(console.FindBefore("error", 3 * piece)->offset, Optional(Eq(piece - 2)));
}

TEST_F(ConsoleReaderTest, ATextThatIsTooLongIsRefused) {
  EXPECT_EQ(Console("a").FindAfter(std::string(2000, 'a'), 0).error().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline
