#include "sightline/tests/runs/reading_ways.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// tests/fuzz/event_grammar_fuzz.cc does the same with inputs that reach new code.
TEST(ReadingWaysTest, ShowTheSameOfWhateverWritersWrite) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    std::string bytes(1500, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    testing::Choices choices(bytes);
    const auto files = testing::MakeEventFiles(choices);
    const testing::TempDir index;
    EXPECT_EQ(testing::DifferenceOfWays(files, choices, index.path()), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline
