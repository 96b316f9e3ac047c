#include "sightline/watch/rules/disk_rule.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sightline::watch {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

TEST(DiskRuleTest, HoldsBelowItsShareUntilATenthMoreIsFree) {
  const DiskRule rule("disk(10%)", 0.1, 0);
  EXPECT_FALSE(rule.Judge(100 * kGigabyte, 1000 * kGigabyte, false));
  const auto cause = rule.Judge(99 * kGigabyte, 1000 * kGigabyte, false);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->text, "99.0 GB of 1.0 TB are free on the disk (9.9 %)");
  EXPECT_TRUE(rule.Judge(109 * kGigabyte, 1000 * kGigabyte, true));
  EXPECT_FALSE(rule.Judge(111 * kGigabyte, 1000 * kGigabyte, true));
}

TEST(DiskRuleTest, TheLimitMayBeASize) {
  const DiskRule rule("disk(20GB)", 0, 20 * kGigabyte);
  EXPECT_FALSE(rule.Judge(20 * kGigabyte, 1000 * kGigabyte, false));
  EXPECT_TRUE(rule.Judge(19 * kGigabyte, 1000 * kGigabyte, false));
}

TEST(DiskRuleTest, AFolderThatIsNotThereSaysNothing) {
  EXPECT_FALSE(DiskRule("disk", 0.1, 0).OfDisk("/no/such/folder", false));
}

}  // namespace
}  // namespace sightline::watch
