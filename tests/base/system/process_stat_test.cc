#include "sightline/base/system/process_stat.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace sightline {
namespace {

TEST(ProcessStatTest, FieldsAreThoseOfTheSystemsManual) {
  const auto stat =
      ProcessStat::Parse("17 (a) b) S 3 1 1 0 -1 0 10 0 12 0 14 15 16 17 20 0 1 0 22 4096 24 0\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->id, 17);
  EXPECT_EQ(stat->name, "a) b");
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 3);
  EXPECT_EQ(stat->minor_faults, 10U);
  EXPECT_EQ(stat->major_faults, 12U);
  EXPECT_EQ(stat->cpu_ticks, 29U);
  EXPECT_EQ(stat->children_cpu_ticks, 33U);
  EXPECT_EQ(stat->begin_ticks, 22U);
  EXPECT_EQ(stat->resident_pages, 24U);
}

TEST(ProcessStatTest, AnotherFormIsNone) {
  for (const char* const text :
       {"", ")(", "17 (a", "17 (a)", "17 (a) ", "17 (a) S", "17 (a) S 1 2"})
    EXPECT_FALSE(ProcessStat::Parse(text)) << text;
}

TEST(ProcessStatTest, ThisProcessHasOne) {
  const auto stat = ProcessStat::Read("/proc/self/stat");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->id, getpid());
  EXPECT_EQ(stat->parent, getppid());
  EXPECT_GT(stat->resident_pages, 0U);
}

}  // namespace
}  // namespace sightline
