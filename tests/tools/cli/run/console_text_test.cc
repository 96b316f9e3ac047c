#include "sightline/tools/cli/run/console_text.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

std::string Cleaned(const std::string& bytes) {
  std::string whole = ConsoleText().Clean(bytes);
  ConsoleText text;
  std::string in_pieces;
  for (const char byte : bytes) in_pieces += text.Clean({&byte, 1});
  EXPECT_EQ(in_pieces, whole);
  return whole;
}

TEST(ConsoleTextTest, TextAndColoursStay) {
  EXPECT_EQ(Cleaned("loss\t0.5 \xe4\xb8\xad\r\n"), "loss\t0.5 \xe4\xb8\xad\n");
  EXPECT_EQ(Cleaned("\x1b[1;31mred\x1b[0m \x1b[38:5:9mx\x1b[m"),
            "\x1b[1;31mred\x1b[0m \x1b[38:5:9mx\x1b[m");
}

TEST(ConsoleTextTest, EveryOtherSequenceIsLeftOut) {
  EXPECT_EQ(Cleaned("a\x1b[2J\x1b[1;1Hb\x1b[?25lc\x1b[6n"), "abc");
  EXPECT_EQ(Cleaned("a\x1b]0;title\x07"
                    "b\x1b]52;c;eA==\x1b\\c\x1bP1$r\x1b\\d\x1b_x\x1b\\e"),
            "abcde");
  EXPECT_EQ(Cleaned("a\x1b(Bb\x1b=c\x1b"
                    "cd\x07\x08"),
            "abcd");
  EXPECT_EQ(Cleaned("a\x1b[?1mb\x1b[>4;2mc"), "abc");
}

TEST(ConsoleTextTest, AControlCharacterOfUnicodeIsAnEscape) {
  EXPECT_EQ(Cleaned("a\xc2\x9b"
                    "31mb"),
            "a\\u009b31mb");
}

TEST(ConsoleTextTest, AProgressBarIsALineEachTime) {
  EXPECT_EQ(Cleaned("\r 10 %\r 20 %\r\ndone\n"), "\n 10 %\n 20 %\ndone\n");
}

TEST(ConsoleTextTest, ASequenceThatDoesNotEndHoldsNoMemory) {
  ConsoleText text;
  EXPECT_EQ(text.Clean("\x1b[" + std::string(1 << 20, '1')), "");
  EXPECT_EQ(text.Clean("mafter"), "after");
  EXPECT_EQ(text.Clean("\x1b[31\nafter"), "\nafter");
}

}  // namespace
}  // namespace sightline
