#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;
using ::testing::StartsWith;

TEST(LsProgramTest, ListsRunsAsATable) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("lenet_landscape"));
  EXPECT_THAT(ran.out, HasSubstr("state"));
}

TEST(LsProgramTest, TellsAFolderWithoutRunsFromAQueryThatNoRunFits) {
  testing::TempDir empty;
  const Ran nothing = RunProgram({"ls", empty.path()});
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_EQ(nothing.out, "there are no event files in or below " + empty.path() + "\n");
  EXPECT_EQ(RunProgram({"ls", CorpusPath("mindspore"), "--where", "lr > 1e9"}).out,
            "no run fits --where\n");
}

TEST(LsProgramTest, FiltersSortsAndShowsColumns) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore"), "--where", "network == \"LeNet5\"",
                              "--sort", "name", "--reverse", "--columns", "name", "network"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("values")));
  EXPECT_THAT(ran.out, HasSubstr("\nlenet "));
  EXPECT_LT(ran.out.find("lenet_max_file_size"), ran.out.find("\nlenet "));
}

TEST(LsProgramTest, NamesAColumnThatNoRunHas) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore"), "--columns", "name", "accuracy", "x"});
  EXPECT_THAT(ran.out, HasSubstr("\nno run has accuracy; did you mean Accuracy?\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nno run has x\n"));
  EXPECT_THAT(RunProgram({"ls", CorpusPath("mindspore")}).out, Not(HasSubstr("no run has")));
}

TEST(LsProgramTest, TheNameComesFirst) {
  const Ran ran = RunProgram({"ls", CorpusPath("mindspore/lenet"), CorpusPath("mindspore/values"),
                              "--columns", "network", "state"});
  EXPECT_THAT(ran.out, StartsWith("name "));
  EXPECT_THAT(ran.out, HasSubstr("values "));
}

TEST(LsProgramTest, SaysWhichNameOfAQueryIsMisspelled) {
  const auto list = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"ls", CorpusPath("mindspore")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunProgram(arguments).out;
  };
  EXPECT_EQ(list({"--where", "learning_rat > 0.01"}),
            "no run fits --where\n\nno run has learning_rat; did you mean learning_rate?\n");
  EXPECT_THAT(list({"--sort", "last('loss/aut')"}),
              HasSubstr("\nno run has loss/aut; did you mean loss/auto?\n"));
  EXPECT_THAT(list({"--where", "`loss/auto` > 0"}),
              HasSubstr("\nno run has loss/auto; did you mean last(\"loss/auto\")?\n"));
  EXPECT_THAT(
      list({"--where", "last('loss/auto') == nan"}),
      HasSubstr("no run has nan; isnan(last(\"loss\")) is true where the last value is NaN"));
  EXPECT_THAT(list({"--where", "lr > 0", "--sort", "last('loss/auto')"}), Not(HasSubstr("no run")));
}

// Runs a/1 and a/2 end in NaN, b/1 does not, and one of group a has no loss.
TEST(LsProgramTest, NanIsMarkedAndCounted) {
  const testing::TempDir dir;
  const float nan = -std::numeric_limits<float>::quiet_NaN();
  const auto put = [&](const std::string& run, const std::string& records) {
    std::filesystem::create_directories(dir.File(run));
    testing::WriteFileOrDie(dir.File(run) + "/" + testing::kTensorBoardName, records);
  };
  const auto scalar = testing::TensorBoardScalar;
  put("a1", scalar("loss", 1, 0.9425F) + scalar("loss", 2, nan) + scalar("loss", 3, nan));
  put("a2", scalar("loss", 3, 1) + scalar("loss", 3, nan));
  put("b1", scalar("loss", 3, 0.9425F));
  put("b2", scalar("other", 3, 1));
  const Ran marked = RunProgram({"ls", dir.path()});
  EXPECT_THAT(marked.out, ::testing::ContainsRegex("a1 .* loss\n"));
  EXPECT_THAT(marked.out, HasSubstr("NaN or infinite"));
  EXPECT_THAT(marked.out, Not(::testing::ContainsRegex("b1 .* loss\n")));
  const Ran numbers = RunProgram({"ls", dir.path(), "--columns", "last(loss)"});
  EXPECT_THAT(numbers.out, ::testing::ContainsRegex("a1 +nan\n"));
  EXPECT_THAT(numbers.out, ::testing::ContainsRegex("b1 +0\\.9425\n"));
  const Ran groups =
      RunProgram({"ls", dir.path(), "--group-by", "name =~ \"^a\"", "--columns", "last(loss)"});
  EXPECT_THAT(groups.out, HasSubstr("2 NaN\n"));
  EXPECT_THAT(groups.out, HasSubstr("0.9425 (0.9425 to 0.9425), 1 of 2 runs\n"));
  EXPECT_THAT(RunProgram({"info", dir.File("a1")}).out, HasSubstr("2 NaN since step 2"));
}

TEST(LsProgramTest, JsonHasEverySeries) {
  const Ran ran = RunProgram({"ls", "--json", CorpusPath("mindspore/lenet")});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json.at("runs").size(), 1U);
  EXPECT_EQ(json["runs"][0]["lineage"]["network"], "LeNet5");
  EXPECT_GE(json["runs"][0]["series"].size(), 5U);
}

TEST(LsProgramTest, TheFormOfJsonIsFixed) {
  const testing::TempDir dir;
  const std::string quoted = dir.File("\"a\x01\xff");
  std::filesystem::create_directories(quoted);
  std::filesystem::create_directories(dir.File("none"));
  testing::WriteFileOrDie(quoted + "/events.out.tfevents.1.vm", "torn");
  for (const std::string& root :
       {CorpusPath("mindspore"), CorpusPath("tensorboard"), quoted, dir.File("none")}) {
    const Ran ran =
        RunProgram({"ls", "--json", root, "--columns", "lr", "state", "last_step", "lr"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, nlohmann::ordered_json::parse(ran.out).dump(2) + "\n");
  }
}

// {wall_time, step, summary {value {tag "p", image {encoded}}}}, as TensorBoard has it.
std::string PictureRecord(std::size_t size) {
  const std::string pixels(size, 'p');
  std::string image;
  wire::AppendBytes(image, 4, pixels);
  std::string value;
  wire::AppendBytes(value, 1, "p");
  wire::AppendBytes(value, 4, image);
  std::string summary;
  wire::AppendBytes(summary, 1, value);
  std::string event;
  wire::AppendDouble(event, 1, 1.7e9);
  wire::AppendBytes(event, 5, summary);
  return testing::FrameRecord(event);
}

TEST(LsProgramTest, CountsDamagedRunsAndUncheckedRecords) {
  const testing::TempDir dir;
  const std::string file = dir.File("events.out.tfevents.1.vm");
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += PictureRecord(100'000);
  testing::WriteFileOrDie(file, bytes + "torn");
  const Ran table = RunProgram({"ls", dir.path()});
  EXPECT_THAT(table.out, HasSubstr("1 run with damage; see sightline verify"));
  EXPECT_THAT(table.out, HasSubstr("2 large records not read whole; sightline verify does"));
  const auto json = nlohmann::json::parse(RunProgram({"ls", "--json", dir.path()}).out);
  // The first record is read before skimming begins, and the last one is followed by damage: both
  // are read whole.
  EXPECT_EQ(json["runs"][0]["unchecked"], 2);
  EXPECT_EQ(json["runs"][0]["series"][0]["points"], 4);
  EXPECT_THAT(RunProgram({"ls", CorpusPath("mindspore/values")}).out, Not(HasSubstr("verify")));
}

TEST(LsProgramTest, PrintsTheSameBelowAMemoryLimit) {
  const auto list = [](const std::string& limit) {
    return RunProgram({"ls", "--json", "--no-index", CorpusPath("mindspore"), limit});
  };
  const Ran limited = list("--memory-limit=64MB");
  EXPECT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_EQ(limited.out, list("--json").out);
  const Ran little = list("--memory-limit=63MB");
  EXPECT_EQ(little.exit_code, 2);
  EXPECT_THAT(little.err, HasSubstr("a memory limit of 63000000 bytes"));
}

TEST(LsProgramTest, GroupsRepeatedRuns) {
  const std::vector<std::string> arguments = {
      "ls", CorpusPath("mindspore"), "--group-by", "network", "--columns", "last_step"};
  const Ran ran = RunProgram(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("network"));
  EXPECT_THAT(ran.out, HasSubstr(" to "));
  auto json_arguments = arguments;
  json_arguments.emplace_back("--json");
  const auto json = nlohmann::json::parse(RunProgram(json_arguments).out);
  std::size_t runs = 0;
  for (const auto& group : json.at("groups")) {
    runs += group.at("runs").size();
    const auto& spread = group.at("columns").at("last_step");
    if (spread.at("count") == 0) continue;
    EXPECT_LE(spread.at("min"), spread.at("mean"));
    EXPECT_LE(spread.at("mean"), spread.at("max"));
  }
  const Ran all = RunProgram({"ls", "--json", CorpusPath("mindspore")});
  EXPECT_EQ(runs, nlohmann::json::parse(all.out).at("runs").size());
}

TEST(LsProgramTest, WritesItsIndexToTheGivenFolderOrNowhere) {
  const testing::TempDir dir;
  const std::string root = CorpusPath("mindspore");
  const auto list = [&](const std::string& option) {
    return RunProgram({"ls", "--json", root, "--index-dir", dir.File("index"), option});
  };
  const Ran anew = list("--no-index");
  EXPECT_FALSE(std::filesystem::exists(dir.File("index")));
  for (int i = 0; i < 2; ++i) {
    const Ran ran = list("--json");
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.out, anew.out);
    EXPECT_EQ(ran.err, "");
    EXPECT_FALSE(std::filesystem::is_empty(dir.File("index")));
  }
}

TEST(LsProgramTest, SaysWhyItUsesNoIndex) {
  const testing::TempDir dir;
  const auto list = [&] {
    return RunProgram({"ls", "--json", CorpusPath("mindspore"), "--index-dir", dir.path()});
  };
  const Ran anew = list();
  const std::string index = std::filesystem::directory_iterator(dir.path())->path();
  std::filesystem::remove(index);
  std::filesystem::create_symlink(dir.File("victim"), index);
  testing::WriteFileOrDie(dir.File("victim"), "my only copy");
  const Ran ran = list();
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, anew.out);
  EXPECT_THAT(ran.err, HasSubstr(index + " is not a regular file; it is not used"));
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("victim")), "my only copy");
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
