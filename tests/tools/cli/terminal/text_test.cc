#include "sightline/tools/cli/terminal/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline {
namespace {

TEST(TextTest, WideCharactersTakeTwoColumnsAndColoursNone) {
  EXPECT_EQ(DisplayWidth("loss"), 4u);
  EXPECT_EQ(DisplayWidth("\xe6\xa0\x87\xe7\xad\xbe"), 4u);
  EXPECT_EQ(DisplayWidth("\xc3\xbc"), 1u);
  const std::string red(MarkText(StyleMark::kRed));
  EXPECT_EQ(DisplayWidth(red + "red" + std::string(MarkText(StyleMark::kEnd))), 3u);
}

TEST(TextTest, CountsHaveTheirPlural) {
  EXPECT_EQ(Count(0, "record"), "0 records");
  EXPECT_EQ(Count(1, "record"), "1 record");
  EXPECT_EQ(Count(1234567, "record"), "1,234,567 records");
}

TEST(TextTest, TimesAreUtc) {
  EXPECT_EQ(FormatTime(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(FormatTime(1795189336.9), "2026-11-20 15:42:16 UTC");
  EXPECT_EQ(FormatTime(NAN), "?");
  EXPECT_EQ(FormatTime(1e300), "?");
}

TEST(TextTest, TablesAlignTheirColumns) {
  using enum Table::Align;
  Table table({{"tag", kLeft}, {"n", kRight}}, 2);
  table.AddRow({"loss", "7"});
  table.AddRow({"\xe6\xa0\x87", "1234"});
  std::FILE* file = std::tmpfile();
  EXPECT_EQ(table.ToString(Style(file)),
            "  tag      n\n"
            "  loss     7\n"
            "  \xe6\xa0\x87    1234\n");
  std::fclose(file);
}

}  // namespace
}  // namespace sightline
