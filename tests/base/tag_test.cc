#include "sightline/base/tag.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

TEST(TagTest, KeepsACleanTag) {
  for (const std::string tag : {"", "loss/auto", "unicode/标签", "🙂"}) {
    EXPECT_TRUE(IsCleanTag(tag));
    EXPECT_EQ(CleanTag(tag), tag);
  }
}

TEST(TagTest, CleansWhatReadersWouldRefuse) {
  EXPECT_FALSE(IsCleanTag("loss\xff"));
  EXPECT_EQ(CleanTag("loss\xff"), "loss\xef\xbf\xbd");
}

TEST(TagTest, CutsALongTagBetweenCharacters) {
  const std::string longest(kMaxTagBytes, 'a');
  EXPECT_TRUE(IsCleanTag(longest));
  EXPECT_EQ(CleanTag(longest), longest);
  EXPECT_FALSE(IsCleanTag(longest + "a"));
  EXPECT_EQ(CleanTag(longest + "a"), longest);
  EXPECT_EQ(CleanTag(longest.substr(2) + "标"), longest.substr(2));
}

TEST(TagTest, ACleanedTagIsClean) {
  std::string bytes;
  for (unsigned i = 0; i < 20000; ++i) bytes.push_back(static_cast<char>(i * i * 31 >> 4U));
  EXPECT_TRUE(IsCleanTag(CleanTag(bytes)));
}

}  // namespace
}  // namespace sightline
