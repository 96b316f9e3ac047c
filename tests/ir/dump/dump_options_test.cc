#include "sightline/ir/dump/dump_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;

// Environment variables for one test.
class DumpOptionsTest : public ::testing::Test {
 protected:
  ~DumpOptionsTest() override {
    for (const std::string& name : set_) unsetenv(name.c_str());
  }
  void Set(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    set_.push_back(name);
  }

 private:
  std::vector<std::string> set_;
};

TEST_F(DumpOptionsTest, WithoutVariablesNothingIsDumped) {
  const auto options = DumpOptionsFromEnvironment();
  ASSERT_TRUE(options);
  EXPECT_EQ(options->level, 0);
  EXPECT_EQ(options->path, ".");
  EXPECT_FALSE(options->sorted);
}

TEST_F(DumpOptionsTest, LevelAndPathAreMindSporesVariables) {
  Set("MS_DEV_SAVE_GRAPHS", "3");
  Set("MS_DEV_SAVE_GRAPHS_PATH", "/tmp/graphs");
  const auto options = DumpOptionsFromEnvironment();
  ASSERT_TRUE(options);
  EXPECT_EQ(options->level, 3);
  EXPECT_EQ(options->path, "/tmp/graphs");
}

TEST_F(DumpOptionsTest, TrueIsLevel2) {
  EXPECT_EQ(ParseDumpLevel("true"), 2);
  EXPECT_EQ(ParseDumpLevel("True"), 2);
  EXPECT_EQ(ParseDumpLevel("FALSE"), 0);
  for (int level = 0; level <= 3; ++level) EXPECT_EQ(ParseDumpLevel(std::to_string(level)), level);
}

TEST_F(DumpOptionsTest, OtherLevelsAreNamed) {
  for (const char* level : {"4", "-1", "yes", "1x", "99999999999"})
    EXPECT_THAT(ParseDumpLevel(level).error(), IsStatus(StatusCode::kInvalidArgument, level));
  Set("MS_DEV_SAVE_GRAPHS", "many");
  EXPECT_THAT(DumpOptionsFromEnvironment().error(),
              IsStatus(StatusCode::kInvalidArgument, "MS_DEV_SAVE_GRAPHS: save_graphs is 'many'"));
}

TEST_F(DumpOptionsTest, EitherSpellingSwitchesSortingOn) {
  for (const char* name : {"MS_DEV_SAVE_GRAPHS_SORT_MODE", "MS_DEV_SAVE_GRAPTHS_SORT_MODE"}) {
    Set(name, "1");
    EXPECT_TRUE(DumpOptionsFromEnvironment()->sorted) << name;
    Set(name, "0");
    EXPECT_FALSE(DumpOptionsFromEnvironment()->sorted) << name;
    Set(name, "sometimes");
    EXPECT_THAT(DumpOptionsFromEnvironment().error(), IsStatus(StatusCode::kInvalidArgument, name));
    unsetenv(name);
  }
}

TEST_F(DumpOptionsTest, PassesAreAListWithCommas) {
  EXPECT_THAT(DumpOptionsFromEnvironment()->passes, IsEmpty());
  Set("MS_DEV_DUMP_IR_PASSES", "validate, inline,,  ");
  EXPECT_THAT(DumpOptionsFromEnvironment()->passes, ElementsAre("validate", "inline"));
  Set("MS_DEV_DUMP_IR_PASSES", "_");
  EXPECT_THAT(DumpOptionsFromEnvironment()->passes, ElementsAre("_"));
  EXPECT_EQ(DumpOptionsFromEnvironment()->level, 0) << "the level is another variable's";
}

TEST_F(DumpOptionsTest, TheIntervalIsANumberFrom1On) {
  EXPECT_EQ(DumpOptionsFromEnvironment()->interval, 1);
  Set("MS_DEV_DUMP_IR_INTERVAL", "5");
  EXPECT_EQ(DumpOptionsFromEnvironment()->interval, 5);
  for (const char* interval : {"0", "-1", "5x", "often", "99999999999"}) {
    Set("MS_DEV_DUMP_IR_INTERVAL", interval);
    EXPECT_THAT(DumpOptionsFromEnvironment().error(),
                IsStatus(StatusCode::kInvalidArgument,
                         "MS_DEV_DUMP_IR_INTERVAL is '" + std::string(interval) + "'"));
  }
}

TEST_F(DumpOptionsTest, AVariableThatIsEmptyIsAsIfItWereNotSet) {
  for (const char* name : {"MS_DEV_SAVE_GRAPHS", "MS_DEV_SAVE_GRAPHS_PATH", "MS_DEV_DUMP_IR_PASSES",
                           "MS_DEV_DUMP_IR_INTERVAL", "MS_DEV_SAVE_GRAPHS_SORT_MODE"})
    Set(name, "");
  const auto options = DumpOptionsFromEnvironment();
  ASSERT_TRUE(options);
  EXPECT_EQ(options->level, 0);
  EXPECT_EQ(options->interval, 1);
  EXPECT_THAT(options->passes, IsEmpty());
}

TEST_F(DumpOptionsTest, EveryFaultIsNamed) {
  EXPECT_THAT(DumpOptions().Check(), IsOk());
  DumpOptions options;
  options.level = 7;
  options.interval = 0;
  options.buffer_bytes = 0;
  options.file_system = nullptr;
  const Status status = options.Check();
  EXPECT_THAT(status, IsStatus(StatusCode::kInvalidArgument, "level is 7"));
  EXPECT_THAT(status, IsStatus(StatusCode::kInvalidArgument, "interval is 0"));
  EXPECT_THAT(status, IsStatus(StatusCode::kInvalidArgument, "buffer_bytes is 0"));
  EXPECT_THAT(status, IsStatus(StatusCode::kInvalidArgument, "file_system is null"));
}

}  // namespace
}  // namespace sightline::ir
