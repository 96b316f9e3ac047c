#include "sightline/tools/demo/digits.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/support.h"

namespace sightline::demo {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::testing::ElementsAre;

// A line of 64 pixels of the same ink, and a class.
std::string Line(int ink, int klass) {
  std::string line;
  for (int i = 0; i < kImagePixels; ++i) line += std::to_string(ink) + ",";
  return line + std::to_string(klass) + "\n";
}

Status Refused(const std::string& gzip) {
  const auto digits = ReadDigits(gzip);
  return digits ? Status() : digits.error();
}

class EmbeddedDigitsTest : public ::testing::Test {
 protected:
  const Digits digits = ReadDigits(EmbeddedDigits()).value();
};

// The counts of each class as the data set's own description gives them.
TEST_F(EmbeddedDigitsTest, AreThoseOfTheDataSet) {
  std::array<int, kClasses> counts{};
  for (const std::uint8_t digit : digits.classes) ++counts[digit];
  EXPECT_EQ(digits.count(), 1797);
  EXPECT_THAT(counts, ElementsAre(178, 182, 177, 183, 181, 182, 181, 179, 174, 180));
}

// The sum of all pixels (16 being 1), counted by another program.
TEST_F(EmbeddedDigitsTest, HaveEveryPixel) {
  EXPECT_EQ(digits.pixels.size(), 1797U * 64U);
  EXPECT_EQ(std::accumulate(digits.pixels.begin(), digits.pixels.end(), 0.0) * 16, 561718);
}

TEST_F(EmbeddedDigitsTest, BeginWithAZero) {
  EXPECT_EQ(digits.classes[0], 0);
  const auto row = digits.Image(0).subspan(0, 8);
  EXPECT_THAT(row, ElementsAre(0, 0, 5 / 16.F, 13 / 16.F, 9 / 16.F, 1 / 16.F, 0, 0));
}

TEST(ReadDigits, ScalesInkToOne) {
  const auto digits = ReadDigits(Gzip(Line(16, 3) + Line(0, 9)));
  ASSERT_THAT(digits, IsOk());
  EXPECT_THAT(digits->classes, ElementsAre(3, 9));
  EXPECT_EQ(digits->Image(0)[63], 1.0F);
  EXPECT_EQ(digits->Image(1)[0], 0.0F);
}

TEST(ReadDigits, NamesTheLineThatIsWrong) {
  for (const std::string& bad : {Line(17, 3), Line(-1, 3), Line(1, 10), std::string("1,2,3\n"),
                                 std::string("\n"), "x" + Line(1, 1), "1," + Line(1, 1)}) {
    EXPECT_THAT(Refused(Gzip(Line(1, 1) + bad)),
                IsStatus(StatusCode::kDataLoss, "line 2 of the digits is not"))
        << bad;
  }
}

TEST(ReadDigits, RefusesBytesThatAreNoGzip) {
  EXPECT_THAT(Refused("hello"), IsStatus(StatusCode::kDataLoss, "the digits: the gzip file"));
  EXPECT_THAT(Refused(""), IsStatus(StatusCode::kDataLoss, "the digits: the gzip file"));
}

TEST(ReadDigits, RefusesAStreamThatIsCut) {
  const std::string whole(EmbeddedDigits());
  EXPECT_THAT(Refused(whole.substr(0, whole.size() - 1)),
              IsStatus(StatusCode::kDataLoss, "the digits: the gzip file"));
  EXPECT_THAT(Refused(whole.substr(0, whole.size() / 2)),
              IsStatus(StatusCode::kDataLoss, "the digits: the gzip file"));
}

TEST(ReadDigits, RefusesAStreamThatInflatesWithoutEnd) {
  EXPECT_THAT(Refused(Gzip(std::string(std::size_t{20} << 20, '1'))),
              IsStatus(StatusCode::kDataLoss, "more content"));
}

}  // namespace
}  // namespace sightline::demo
