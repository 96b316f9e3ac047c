#include "sightline/base/system/program_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sightline {
namespace {

using ::testing::Eq;
using ::testing::Optional;

TEST(ProgramOutputTest, IsWhatItPrints) {
  EXPECT_THAT(OutputOfProgram({"sh", "-c", "echo a; echo b >&2; cat"}), Optional(Eq("a\n")));
}

TEST(ProgramOutputTest, VariablesAreAddedAndReplaced) {
  setenv("SIGHTLINE_TEST_VARIABLE", "old", 1);
  const auto printed = OutputOfProgram({"sh", "-c", "echo $SIGHTLINE_TEST_VARIABLE $OTHER"},
                                       {"SIGHTLINE_TEST_VARIABLE=new", "OTHER=x"});
  unsetenv("SIGHTLINE_TEST_VARIABLE");
  EXPECT_THAT(printed, Optional(Eq("new x\n")));
}

TEST(ProgramOutputTest, OfOneThatFailsIsNone) {
  EXPECT_EQ(OutputOfProgram({"sh", "-c", "echo a; exit 3"}), std::nullopt);
  EXPECT_EQ(OutputOfProgram({"sh", "-c", "kill -9 $$"}), std::nullopt);
  EXPECT_EQ(OutputOfProgram({"/nonexistent/program"}), std::nullopt);
}

TEST(ProgramOutputTest, OfOneThatPrintsTooMuchIsNone) {
  EXPECT_THAT(OutputOfProgram({"printf", "12345"}, {}, {.bytes = 5}), Optional(Eq("12345")));
  EXPECT_EQ(OutputOfProgram({"printf", "123456"}, {}, {.bytes = 5}), std::nullopt);
  EXPECT_EQ(OutputOfProgram({"yes"}), std::nullopt);
}

TEST(ProgramOutputTest, OneThatDoesNotEndIsKilled) {
  EXPECT_EQ(
      OutputOfProgram({"sh", "-c", "exec sleep 1000"}, {}, {.time = std::chrono::milliseconds(50)}),
      std::nullopt);
}

}  // namespace
}  // namespace sightline
