#include "sightline/base/system/user_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sightline {
namespace {

// NOLINTBEGIN(concurrency-mt-unsafe): one thread.
TEST(UserFolderTest, TheVariableComesBeforeTheHome) {
  setenv("HOME", "/home/u", 1);
  unsetenv("XDG_STATE_HOME");
  unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(*UserStateFolder(), "/home/u/.local/state/sightline");
  EXPECT_EQ(*UserConfigFolder(), "/home/u/.config/sightline");
  setenv("XDG_STATE_HOME", "/state", 1);
  setenv("XDG_CONFIG_HOME", "/config", 1);
  EXPECT_EQ(*UserStateFolder(), "/state/sightline");
  EXPECT_EQ(*UserConfigFolder(), "/config/sightline");
}

// As the specification says of paths that are not absolute.
TEST(UserFolderTest, ARelativePathIsIgnored) {
  setenv("HOME", "/home/u", 1);
  setenv("XDG_STATE_HOME", "state", 1);
  EXPECT_EQ(*UserStateFolder(), "/home/u/.local/state/sightline");
}

TEST(UserFolderTest, WithoutAHomeItIsTheOneOfTheSystemsUser) {
  unsetenv("HOME");
  unsetenv("XDG_STATE_HOME");
  const auto folder = UserStateFolder();
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->ends_with("/.local/state/sightline"));
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace
}  // namespace sightline
