#include "sightline/ir/dump/dump_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;

class DumpSelectionTest : public ::testing::Test {
 protected:
  // Which points of these are wanted at this level.
  std::vector<std::string> Wanted(int level) {
    options_.level = level;
    const DumpSelection selection(options_);
    std::vector<std::string> wanted;
    for (const DumpPoint& point :
         {DumpPoint::Stage("stage"), DumpPoint::Pass("pass"), DumpPoint::KernelGraph("kernel"),
          DumpPoint::BackEndDetail("detail"), DumpPoint::Substep("opt", 1, 0, 0, "step"),
          DumpPoint::Substitution("opt", 1, "step", "subst")})
      if (selection.Wants(point)) wanted.push_back(point.name());
    return wanted;
  }
  // Which stems of these are taken.
  std::vector<std::string> Taken(const std::vector<std::string>& stems) const {
    DumpSelection selection(options_);
    std::vector<std::string> taken;
    for (const std::string& stem : stems)
      if (selection.Takes(stem)) taken.push_back(stem);
    return taken;
  }

  DumpOptions options_;
};

TEST_F(DumpSelectionTest, LevelsWantMoreAndMore) {
  EXPECT_THAT(Wanted(0), ElementsAre());
  EXPECT_THAT(Wanted(1), ElementsAre("stage", "pass", "hwopt_kernel"));
  EXPECT_THAT(Wanted(2), ElementsAre("stage", "pass", "hwopt_kernel", "detail"));
  EXPECT_THAT(Wanted(3), ElementsAre("stage", "pass", "hwopt_kernel", "detail",
                                     "opt_substep_opt_r1_j0_0_step", "opt.r1.step.subst"));
}

TEST_F(DumpSelectionTest, PassesBringStepsInButNotAtLevel0) {
  options_.passes = {"step"};
  EXPECT_THAT(Wanted(0), ElementsAre());
  EXPECT_THAT(Wanted(1), ElementsAre("stage", "pass", "hwopt_kernel",
                                     "opt_substep_opt_r1_j0_0_step", "opt.r1.step.subst"));
}

TEST_F(DumpSelectionTest, TakesNamesThatHaveOneOfThePassesInThem) {
  options_.passes = {"validate", "opt_pass_1_"};
  EXPECT_THAT(Taken({"20_validate", "00_bootstrap", "opt_pass_1_cse", "opt_pass_11_cse"}),
              ElementsAre("20_validate", "opt_pass_1_cse"));
}

TEST_F(DumpSelectionTest, AnUnderscoreIsInEveryName) {
  options_.passes = {"_"};
  EXPECT_THAT(Taken({"20_validate", "expand"}), ElementsAre("20_validate", "expand"));
}

TEST_F(DumpSelectionTest, TakesTheLastOfEachInterval) {
  options_.interval = 3;
  EXPECT_THAT(Taken({"a", "b", "c", "d", "e", "f", "g"}), ElementsAre("c", "f"));
}

TEST_F(DumpSelectionTest, TheIntervalCountsWhatThePassesLeave) {
  options_.passes = {"x"};
  options_.interval = 2;
  EXPECT_THAT(Taken({"x0", "a", "x1", "b", "x2", "x3"}), ElementsAre("x1", "x3"));
}

}  // namespace
}  // namespace sightline::ir
