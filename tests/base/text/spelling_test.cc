#include "sightline/base/text/spelling.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline {
namespace {

TEST(SpellingTest, FindsTheMostSimilarName) {
  const std::vector<std::string> known = {"learning_rate", "Accuracy", "loss", "los", "lr"};
  EXPECT_EQ(NearestName("learning_rat", known), "learning_rate");
  EXPECT_EQ(NearestName("laerning_rate", known), "learning_rate");
  EXPECT_EQ(NearestName("accuracy", known), "Accuracy");
  EXPECT_EQ(NearestName("loss", known), "loss");
  EXPECT_EQ(NearestName("losss", known), "loss");
  EXPECT_EQ(NearestName("rate", known), "");
  EXPECT_EQ(NearestName("l", known), "");
  EXPECT_EQ(NearestName(std::string(100'000, 'x'), known), "");
}

}  // namespace
}  // namespace sightline
