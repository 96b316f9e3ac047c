#include "sightline/ir/report/path_map.h"

#include <gtest/gtest.h>

namespace sightline::ir {
namespace {

TEST(PathMapTest, WithoutRulesPathsStay) {
  EXPECT_EQ(PathMap().Apply("/home/user/net.py"), "/home/user/net.py");
}

TEST(PathMapTest, AFolderIsReplaced) {
  PathMap paths;
  paths.Add("/home/user", "/work");
  EXPECT_EQ(paths.Apply("/home/user/net.py"), "/work/net.py");
  EXPECT_EQ(paths.Apply("/home/user"), "/work");
}

TEST(PathMapTest, OnlyWholePartsOfAPathMatch) {
  PathMap paths;
  paths.Add("/home/user", "/work");
  EXPECT_EQ(paths.Apply("/home/user2/net.py"), "/home/user2/net.py");
  paths.Add("/opt/", "/usr/");
  EXPECT_EQ(paths.Apply("/opt/net.py"), "/usr/net.py");
}

TEST(PathMapTest, TheLongestRuleIsUsed) {
  PathMap paths;
  paths.Add("/home", "/a");
  paths.Add("/home/user/models", "/b");
  paths.Add("/home/user", "/c");
  EXPECT_EQ(paths.Apply("/home/user/models/net.py"), "/b/net.py");
}

TEST(PathMapTest, PathsInAReportAreReplaced) {
  PathMap paths;
  paths.Add("/home/user", "/work");
  EXPECT_EQ(
      paths.ApplyToReport("In file /home/user/a.py:3, 1~2\n  File \"/home/user/b.py\", line 4"),
      "In file /work/a.py:3, 1~2\n  File \"/work/b.py\", line 4");
}

}  // namespace
}  // namespace sightline::ir
