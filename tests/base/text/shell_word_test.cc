#include "sightline/base/text/shell_word.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace sightline {
namespace {

// What a shell makes of the word.
std::string ByShell(const std::string& word) {
  const std::string command = "printf %s " + word;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  char text[256] = {};
  const std::size_t size = pipe == nullptr ? 0 : std::fread(&text[0], 1, sizeof(text), pipe.get());
  return {&text[0], size};
}

TEST(ShellWordTest, APlainPathStaysAsItIs) {
  EXPECT_EQ(ShellWord("/data/run-1_a.b"), "/data/run-1_a.b");
}

TEST(ShellWordTest, AShellReadsNothingIntoAWord) {
  EXPECT_EQ(ShellWord("out; touch x"), "'out; touch x'");
  for (int c = 1; c < 256; ++c) {
    const std::string text = std::string("a") + static_cast<char>(c) + "b";
    EXPECT_EQ(ByShell(ShellWord(text)), text) << c;
  }
  for (const char* const text : {"$(id)", "`id`", "it's", "''", "~", "*", "a\\", "!!", " "})
    EXPECT_EQ(ByShell(ShellWord(text)), text);
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace sightline
