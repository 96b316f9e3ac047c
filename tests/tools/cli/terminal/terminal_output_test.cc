#include "sightline/tools/cli/terminal/terminal_output.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

std::string Clean(std::string_view bytes) { return TerminalText().Clean(bytes); }

TEST(TerminalOutputTest, TextAndLinesStayAsTheyAre) {
  const std::string text = "loss\t\u6807\u00fc \U0001F600\n\n";
  EXPECT_EQ(Clean(text), text);
  EXPECT_EQ(Clean("step,tag\r\n"), "step,tag\n");
}

TEST(TerminalOutputTest, WhatATerminalObeysIsShownAsEscapes) {
  EXPECT_EQ(Clean("a\x1b]52;c;eA==\x07"), "a\\x1b]52;c;eA==\\x07");
  EXPECT_EQ(Clean("right\rwrong\b\x7f"), "right\\x0dwrong\\x08\\x7f");
  EXPECT_EQ(Clean("\u009b2J\u202egpj\u2066"), "\\u009b2J\\u202egpj\\u2066");
  EXPECT_EQ(Clean("\x9b"
                  "2J\xff\xc3("),
            "\\x9b2J\\xff\\xc3(");
}

TEST(TerminalOutputTest, CharactersMayComeInPieces) {
  const std::string text = "\u6807\u202e\u009b\r\n\r\r\nx\xe6\x8d)";
  TerminalText pieces;
  std::string out;
  for (const char c : text) out += pieces.Clean({&c, 1});
  EXPECT_EQ(out, Clean(text));
  EXPECT_EQ(out, "\u6807\\u202e\\u009b\n\\x0d\nx\\xe6\\x8d)");
}

TEST(TerminalOutputTest, MarksBecomeStyles) {
  std::string text(MarkText(StyleMark::kRed));
  text.append("damaged").append(MarkText(StyleMark::kEnd));
  EXPECT_EQ(Clean(text), "\x1b[31mdamaged\x1b[0m");
}

}  // namespace
}  // namespace sightline
