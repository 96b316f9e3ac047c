#include "sightline/recorder/tensor/npy_name.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace sightline {
namespace {

// Expected names are what Python's urllib.parse.quote(tag, safe="") returns.
TEST(NpyFileNameTest, EscapesAsPythonQuotes) {
  EXPECT_EQ(NpyFileName("conv1/weight", 10), "conv1%2Fweight_10.npy");
  EXPECT_EQ(NpyFileName("AZaz09_.-~", 1), "AZaz09_.-~_1.npy");
  EXPECT_EQ(NpyFileName("a b+c%d\\:*?\"<>|\n", 0),
            "a%20b%2Bc%25d%5C%3A%2A%3F%22%3C%3E%7C%0A_0.npy");
  EXPECT_EQ(NpyFileName("损失/é", -3), "%E6%8D%9F%E5%A4%B1%2F%C3%A9_-3.npy");
  EXPECT_EQ(NpyFileName("", 7), "_7.npy");
}

TEST(NpyFileNameTest, IsNeverTakenForAnEventFile) {
  EXPECT_EQ(NpyFileName("my.tfevents", 1), "my.%74fevents_1.npy");
  EXPECT_EQ(NpyFileName("summary.1", 1), "summary%2E1_1.npy");
  EXPECT_EQ(NpyFileName("summary.loss", 1), "summary.loss_1.npy");
  EXPECT_EQ(NpyFileName("ummary.1", 1), "ummary.1_1.npy");
}

TEST(NpyFileNameTest, LongTagsAreCutToWhatFileSystemsTake) {
  const std::string exact(255 - 6, 'x');  // "_1.npy" follows.
  EXPECT_EQ(NpyFileName(exact, 1), exact + "_1.npy");
  const std::string name = NpyFileName(exact + "y", 1);
  EXPECT_EQ(name.size(), 255U);
  EXPECT_EQ(name.substr(0, 255 - 6 - 17), exact.substr(17));
  EXPECT_EQ(name[255 - 6 - 17], '~');
  EXPECT_EQ(name.substr(255 - 6), "_1.npy");
}

TEST(NpyFileNameTest, LongTagsStayApartAndStable) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    const std::string tag = std::string(4000, 'x') + std::to_string(i);
    names.insert(NpyFileName(tag, 1));
    EXPECT_EQ(NpyFileName(tag, 1), NpyFileName(tag, 1));
  }
  EXPECT_EQ(names.size(), 1000U);
}

// Three bytes a character, nine escaped: the cut must not leave a part that unquotes to no text.
TEST(NpyFileNameTest, CutsBetweenCharacters) {
  for (std::size_t ascii = 0; ascii < 9; ++ascii) {
    std::string tag(ascii, 'a');
    for (int i = 0; i < 100; ++i) tag += "损";
    const std::string name = NpyFileName(tag, std::numeric_limits<std::int64_t>::min());
    EXPECT_LE(name.size(), 255U);
    EXPECT_GT(name.size(), 255U - 9);
    const std::size_t cut = name.find('~');
    ASSERT_NE(cut, std::string::npos);
    EXPECT_EQ((cut - ascii) % 9, 0U) << name;
  }
}

}  // namespace
}  // namespace sightline
