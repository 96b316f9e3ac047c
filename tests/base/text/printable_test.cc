#include "sightline/base/text/printable.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(PrintableTest, TextStaysAsItIs) {
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("loss/\xe6\xa0\x87\xc2\xa0~"), "loss/\xe6\xa0\x87\xc2\xa0~");
}

TEST(PrintableTest, ControlCharactersAreShownAsEscapes) {
  EXPECT_EQ(Printable("a\x1b[2Jb\n\x7f\xc2\x9b"), "a\\x1b[2Jb\\x0a\\x7f\\u009b");
}

TEST(PrintableTest, CharactersThatTurnTextAreShownAsEscapes) {
  EXPECT_EQ(Printable("a\u202ecba\u202c"), "a\\u202ecba\\u202c");
  EXPECT_EQ(Printable("\u061c\u200e\u200f\u2066\u2069"), "\\u061c\\u200e\\u200f\\u2066\\u2069");
  EXPECT_EQ(Printable("\u0627\u05d0\u200d\u2028"), "\u0627\u05d0\u200d\u2028");
}

TEST(PrintableTest, IllFormedBytesAreReplaced) {
  EXPECT_EQ(Printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(Printable("\xc2"), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace sightline
