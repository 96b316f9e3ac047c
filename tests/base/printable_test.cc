#include "sightline/base/printable.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(PrintableTest, TextStaysAsItIs) {
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("loss/\xe6\xa0\x87\xc2\xa0~"), "loss/\xe6\xa0\x87\xc2\xa0~");
}

TEST(PrintableTest, ControlCharactersAreReplaced) {
  EXPECT_EQ(Printable("a\x1b[2Jb\n\x7f\xc2\x9b"),
            "a\xef\xbf\xbd[2Jb\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(PrintableTest, IllFormedBytesAreReplaced) {
  EXPECT_EQ(Printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(Printable("\xc2"), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace sightline
