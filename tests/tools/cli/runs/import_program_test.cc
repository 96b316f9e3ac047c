// sightline import: what it prints, refuses and leaves behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::HasSubstr;
using testing::Ran;
using testing::RunProgram;

class ImportProgramTest : public ::testing::Test {
 protected:
  ImportProgramTest() {
    const auto database =
        Gunzip(testing::ReadFileOrDie(CorpusPath("mlflow/mlflow.db.gz")), 4 << 20);
    testing::WriteFileOrDie(Database(), *database);
  }
  std::string Database() const { return dir_.File("mlflow.db"); }
  std::string Out() const { return dir_.File("runs"); }
  std::size_t Names() const {
    const std::filesystem::directory_iterator names(dir_.path());
    return static_cast<std::size_t>(std::distance(begin(names), end(names)));
  }

  const testing::TempDir dir_;
};

TEST_F(ImportProgramTest, SaysWhatWasReadAndWhatNot) {
  const Ran ran = RunProgram({"import", Database(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, Out() +
                         ": 4 runs: 92 points, 11 parameters, 13 tags\n"
                         "  left out: 1 x deleted run\n"
                         "  left out: 1 x run of a deleted experiment\n"
                         "  not read: 1 x datasets\n"
                         "  not read: 1 x input_tags\n"
                         "  not read: 1 x inputs\n"
                         "  not read: 1 x tag of MLflow's own\n");
}

TEST_F(ImportProgramTest, TheRunsAreListedLikeOthers) {
  ASSERT_EQ(RunProgram({"import", Database(), "-o", Out()}).exit_code, 0);
  const Ran ran = RunProgram({"ls", Out(), "--where", "lr < 0.15", "--columns", "lr",
                              "last(\"val/accuracy\")", "run.outcome"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("digits/first run"));
  EXPECT_THAT(ran.out, HasSubstr("0.89"));
  EXPECT_THAT(ran.out, HasSubstr("finished"));
}

TEST_F(ImportProgramTest, JsonHasTheSameNumbers) {
  const Ran ran = RunProgram({"import", "--json", Database(), "-o", Out()});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = testing::Lines(ran.out).at(0);
  EXPECT_EQ(json["runs"], 4);
  EXPECT_EQ(json["points"], 92);
  EXPECT_EQ(json["left_out"]["deleted run"], 1);
  EXPECT_EQ(json["not_read"]["datasets"], 1);
}

TEST_F(ImportProgramTest, AnOutputThatExistsIsRefused) {
  std::filesystem::create_directory(Out());
  const Ran ran = RunProgram({"import", Database(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr(Out()));
  EXPECT_TRUE(std::filesystem::is_empty(Out()));
}

TEST_F(ImportProgramTest, AfterAnErrorNothingIsLeft) {
  testing::WriteFileOrDie(Database(), "no database");
  const Ran ran = RunProgram({"import", Database(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr(Database() + ": not an SQLite database"));
  EXPECT_EQ(Names(), 1U);
}

}  // namespace
}  // namespace sightline
