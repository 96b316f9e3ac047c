#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;

TEST(LsProgramTest, ListsRunsAsATable) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("lenet_landscape"));
  EXPECT_THAT(ran.out, HasSubstr("state"));
}

TEST(LsProgramTest, ChoosesSortsAndShowsWhatItIsAskedFor) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore"), "--where", "network == \"LeNet5\"",
                              "--sort", "name", "--reverse", "--columns", "name", "network"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("values")));
  EXPECT_THAT(ran.out, HasSubstr("\nlenet "));
  EXPECT_LT(ran.out.find("lenet_max_file_size"), ran.out.find("\nlenet "));
}

TEST(LsProgramTest, JsonHasEverySeries) {
  const Ran ran = RunProgram({"ls", "--json", CorpusPath("mindspore/lenet")});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json.at("runs").size(), 1U);
  EXPECT_EQ(json["runs"][0]["lineage"]["network"], "LeNet5");
  EXPECT_GE(json["runs"][0]["series"].size(), 5U);
}

TEST(LsProgramTest, SaysWhatIsWrong) {
  const Ran query = RunProgram({"ls", CorpusPath("mindspore"), "--where", "lr >"});
  EXPECT_EQ(query.exit_code, 2);
  EXPECT_THAT(query.err, HasSubstr("query, column 5: a value is missing"));
  const Ran missing = RunProgram({"ls", CorpusPath("mindspore/none")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("mindspore/none"));
}

}  // namespace
}  // namespace sightline
