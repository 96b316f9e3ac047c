#include "sightline/export/landscape/stroke_font.h"

#include <algorithm>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kSize = 100;

bool IsSame(const std::vector<Canvas::Segment>& a, const std::vector<Canvas::Segment>& b) {
  return std::ranges::equal(a, b, [](const Canvas::Segment& s, const Canvas::Segment& t) {
    return s[0].x == t[0].x && s[0].y == t[0].y && s[1].x == t[1].x && s[1].y == t[1].y;
  });
}

TEST(StrokeFontTest, HasEveryPrintableCharacterWithinItsWidth) {
  const auto box = TextStrokes("\x01", {0, 0}, kSize);
  for (char c = '!'; c <= '~'; ++c) {
    const std::string text(1, c);
    const auto strokes = TextStrokes(text, {0, 0}, kSize);
    ASSERT_THAT(strokes, Not(IsEmpty())) << c;
    EXPECT_FALSE(IsSame(strokes, box)) << c;
    for (const Canvas::Segment& segment : strokes) {
      for (const CanvasPoint& point : segment) {
        EXPECT_GE(point.x, 0) << c;
        EXPECT_LE(point.x, TextWidth(text, kSize)) << c;
        EXPECT_GE(point.y, -kSize) << c;        // Above the base line,
        EXPECT_LE(point.y, 0.25 * kSize) << c;  // and the descenders below it.
      }
    }
  }
  EXPECT_THAT(TextStrokes(" ", {0, 0}, kSize), IsEmpty());
}

TEST(StrokeFontTest, CharactersDiffer) {
  for (char a = '!'; a <= '~'; ++a) {
    for (char b = '!'; b < a; ++b) {
      EXPECT_FALSE(IsSame(TextStrokes(std::string(1, a), {0, 0}, kSize),
                          TextStrokes(std::string(1, b), {0, 0}, kSize)))
          << a << b;
    }
  }
}

TEST(StrokeFontTest, DigitsHaveOneWidth) {
  for (char c = '0'; c <= '9'; ++c)
    EXPECT_EQ(TextWidth(std::string(1, c), kSize), TextWidth("0", kSize));
}

TEST(StrokeFontTest, ACharacterThatItLacksIsOneBox) {
  const auto box = TextStrokes("\x01", {0, 0}, kSize);
  for (const char* text : {"\u00e9", "\u635f", "\U0001f600"}) {
    EXPECT_TRUE(IsSame(TextStrokes(text, {0, 0}, kSize), box));
    EXPECT_EQ(TextWidth(text, kSize), TextWidth("\x01", kSize));
  }
}

TEST(StrokeFontTest, TextBeginsAtItsPlaceOnTheBaseLine) {
  const auto strokes = TextStrokes("L", {30, 40}, kSize);
  EXPECT_GT(strokes.front()[0].x, 30);
  EXPECT_EQ(strokes.back()[1].y, 40);
  EXPECT_GT(TextWidth("LL", kSize), TextWidth("L", kSize));
  EXPECT_GT(PenWidth(kSize), PenWidth(kSize / 2));
}

}  // namespace
}  // namespace sightline
