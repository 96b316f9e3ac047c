#include "sightline/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

TEST(Utf8Test, AcceptsTheFirstAndLastCharacterOfEachLength) {
  for (const char* text :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
    EXPECT_EQ(ToUtf8(text), text);
  }
  EXPECT_TRUE(IsUtf8(std::string_view("a\0b", 3)));
}

TEST(Utf8Test, RefusesOverlongFormsSurrogatesAndWhatUnicodeDoesNotHave) {
  for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf",
                           "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe", "\xff"}) {
    EXPECT_FALSE(IsUtf8(text)) << ::testing::PrintToString(text);
  }
}

TEST(Utf8Test, RefusesCharactersThatAreCutOff) {
  for (const std::string text : {"\xc3\xa9", "\xe6\xa0\x87", "\xf0\x9f\x99\x82"}) {
    for (std::size_t size = 1; size < text.size(); ++size) {
      EXPECT_FALSE(IsUtf8(text.substr(0, size)));
      EXPECT_FALSE(IsUtf8(text.substr(0, size) + "a"));
      EXPECT_EQ(ToUtf8(text.substr(0, size) + "a"), std::string(kReplacement) + "a");
    }
  }
}

// The scan goes eight bytes at a time; a bad byte must be found at each place in such a step.
TEST(Utf8Test, FindsABadByteAtEveryPosition) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      EXPECT_TRUE(IsUtf8(text));
      text[at] = '\xff';
      EXPECT_FALSE(IsUtf8(text)) << size << " " << at;
      EXPECT_EQ(ToUtf8(text),
                std::string(at, 'a') + kReplacement + std::string(size - at - 1, 'a'));
    }
  }
}

// One replacement for the longest start of a character, as Unicode recommends (chapter 3.9).
TEST(Utf8Test, ReplacesIllFormedSequences) {
  const std::string r = kReplacement;
  EXPECT_EQ(ToUtf8("\xff\xfe"), r + r);
  EXPECT_EQ(ToUtf8("a\xf1\x80\x80\xe1\x80\xc2"
                   "b\x80"
                   "c\x80\xbf"
                   "d"),
            "a" + r + r + r + "b" + r + "c" + r + r + "d");
  EXPECT_EQ(ToUtf8("\xed\xa0\x80"), r + r + r);
}

TEST(Utf8Test, CutsBetweenCharacters) {
  const std::string text =
      "ab\xe6\xa0\x87"
      "c";
  EXPECT_EQ(ToUtf8(text, 6), text);
  EXPECT_EQ(ToUtf8(text, 5), "ab\xe6\xa0\x87");
  EXPECT_EQ(ToUtf8(text, 4), "ab");
  EXPECT_EQ(ToUtf8(text, 3), "ab");
  EXPECT_EQ(ToUtf8(text, 0), "");
  EXPECT_EQ(ToUtf8("a\xff", 3), "a");  // The replacement has three bytes and does not fit.
}

}  // namespace
}  // namespace sightline
