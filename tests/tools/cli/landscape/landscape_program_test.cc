// sightline landscape, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/tests/landscape/checkpoint_bytes.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::MindSporeTensor;
using testing::Ran;
using testing::ReadFileOrDie;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> KeysOf(const nlohmann::ordered_json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

class LandscapeProgramTest : public ::testing::Test {
 protected:
  static Ran Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "landscape");
    return testing::RunProgram(arguments);
  }

  // Three checkpoints of five numbers, and their metadata.
  std::string Training() {
    const std::string folder = dir_.File("run/ckpt_dir");
    EXPECT_THAT(FileSystem::Local().CreateDirectories(folder), IsOk());
    const std::vector<std::vector<float>> saved = {
        {1, 2, 3, 4, 5}, {2, 2, 1, 4, 4}, {1, 1, 1, 3, 2}};
    for (std::size_t i = 0; i < saved.size(); ++i) {
      testing::WriteFileOrDie(folder + "/" + std::to_string(i + 1) + ".ckpt",
                              MindSporeTensor("w.weight", {5}, saved[i]));
    }
    testing::WriteFileOrDie(
        folder + "/train_metadata.json",
        R"({"epoch_group": {"0": [1, 2, 3]}, "model_params_file_map":)"
        R"( {"1": "/gone/1.ckpt", "2": "/gone/2.ckpt", "3": "/gone/3.ckpt"}, "unit": "epoch",)"
        R"( "landscape_size": 4, "create_landscape": {"train": true, "result": false}})");
    return dir_.File("run");
  }

  testing::TempDir dir_;
};

TEST_F(LandscapeProgramTest, InfoPrintsOneObjectAnInterval) {
  const Ran ran = Run({"info", "--json", CorpusPath("mindspore/lenet_landscape")});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::ordered_json::parse(ran.out);
  EXPECT_EQ(json["tag"], "landscape_[1, 3]");
  EXPECT_EQ(json["decomposition"], "PCA");
  EXPECT_THAT(json["explained_variance"], SizeIs(2));
  EXPECT_THAT(json["distances"], SizeIs(3));
  EXPECT_THAT(json["path"]["y"], SizeIs(3));
  EXPECT_THAT(json["axes"]["x"], SizeIs(10));
  EXPECT_EQ(KeysOf(json), (std::vector<std::string>{"tag", "decomposition", "explained_variance",
                                                    "distances", "path", "axes"}));
  EXPECT_THAT(KeysOf(json["path"]), ElementsAre("x", "y"));
  EXPECT_THAT(KeysOf(json["axes"]), ElementsAre("x", "y"));
  const Ran text = Run({"info", CorpusPath("mindspore/lenet_landscape")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("explained variance"));
}

TEST_F(LandscapeProgramTest, RunAsksTheProgramAndRecordsWhatItSays) {
  const std::string run = Training();
  const std::string loss = "while read x y path; do echo $x; done";
  const Ran ran = Run({"run", "--loss", loss, "--jobs", "2", run});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ran exported = Run({"export", "--format", "csv", "-o", dir_.File("out"), run});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  std::istringstream csv(ReadFileOrDie(dir_.File("out/landscape_1_3.csv")));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "kind,step,x,y,loss");
  int points = 0;
  while (std::getline(csv, line)) {
    ++points;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_THAT(cells, SizeIs(5));
    EXPECT_EQ(cells[2], cells[4]) << line;  // The loss is x.
  }
  EXPECT_EQ(points, 4 * 4 + 3 + 1);
  // All is known: a loss that cannot answer is not asked.
  EXPECT_EQ(Run({"run", "--loss", "exit 1", run}).exit_code, 0);
  const Ran restarted = Run({"run", "--loss", "exit 1", "--restart", run});
  EXPECT_EQ(restarted.exit_code, 2);
  EXPECT_THAT(restarted.err, HasSubstr("ended with exit code 1"));
}

// Answers with the sum of squares of the five numbers at the end of the file.
constexpr char kSquares[] = R"(while read x y path; do
  tail -c 20 $path | od -An -v -tf4 |
    awk '{ for (i = 1; i <= NF; ++i) s += $i * $i } END { printf "%.17g\n", s }'
done
)";

TEST_F(LandscapeProgramTest, GivesTheSameNumbersWithOneTwoAndFourProcesses) {
  const std::string run = Training();
  testing::WriteFileOrDie(dir_.File("squares.sh"), kSquares);
  const std::string loss = "sh " + dir_.File("squares.sh");
  std::string one;
  for (const char* jobs : {"1", "2", "4"}) {
    const Ran ran = Run({"run", "--loss", loss, "--jobs", jobs, "--lines", "5", "--restart", run});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    ASSERT_EQ(Run({"export", "--format", "csv", "-o", dir_.path(), run}).exit_code, 0);
    const std::string csv = ReadFileOrDie(dir_.File("landscape_1_3.csv"));
    if (one.empty()) one = csv;
    EXPECT_EQ(csv, one) << jobs;
  }
  EXPECT_THAT(one, HasSubstr("path,3,0,0,16\n"));  // 1, 1, 1, 3, 2.
}

TEST_F(LandscapeProgramTest, TakesRanges) {
  const std::string run = Training();
  const Ran info =
      Run({"info", "--json", "--size", "3", "--x-range", "-1:0.5", "--y-range", "0:2", run});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  const auto axes = nlohmann::json::parse(info.out)["axes"];
  EXPECT_EQ(axes["x"], nlohmann::json({-1.0, -0.25, 0.5}));
  EXPECT_EQ(axes["y"], nlohmann::json({0.0, 1.0, 2.0}));
  for (const char* wrong : {"1:0", "1", "a:b", "0:inf"}) {
    const Ran refused = Run({"info", "--x-range", wrong, run});
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_THAT(refused.err, HasSubstr(std::string("'") + wrong + "' is not a range"));
  }
}

TEST_F(LandscapeProgramTest, WithoutAProgramEvaluatesTheDemosNetwork) {
  const std::string run = dir_.File("demo");
  const Ran demo = testing::RunProgram(
      {"demo", "--epochs", "3", "--landscape-size", "3", "--overhead-pairs", "0", run});
  ASSERT_EQ(demo.exit_code, 0) << demo.err;
  const auto surface = [&] {
    EXPECT_EQ(Run({"export", "--format", "csv", "-o", dir_.path(), run}).exit_code, 0);
    return ReadFileOrDie(dir_.File("landscape_1_3.csv"));
  };
  const std::string of_the_demo = surface();
  const Ran again = Run({"run", "--restart", "--jobs", "2", run});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(surface(), of_the_demo);
  // Others keep the last checkpoint's values, and the path still ends there.
  const Ran part = Run({"run", "--restart", "--parameters", "dense2", "--no-result", run});
  ASSERT_EQ(part.exit_code, 0) << part.err;
  const std::string moved = surface();
  EXPECT_NE(moved, of_the_demo);
  const auto end = [](const std::string& csv) { return csv.substr(csv.find("convergence")); };
  EXPECT_EQ(end(moved), end(of_the_demo));
  const Ran other = Run({"run", Training()});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("as the demo's network has: give"));
}

TEST_F(LandscapeProgramTest, ExportsWhatMindSporeRecorded) {
  const std::string run = CorpusPath("mindspore/lenet_landscape");
  for (const char* format : {"npz", "vti", "svg", "png"}) {
    const Ran ran = Run({"export", "--format", format, "-o", dir_.path(), run});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  const auto names = FileSystem::Local().List(dir_.path());
  ASSERT_THAT(names, IsOk());
  EXPECT_THAT(*names, ElementsAre("landscape_1_3.npz", "landscape_1_3.png", "landscape_1_3.svg",
                                  "landscape_1_3.vti", "landscape_1_3.vtp", "landscape_3.npz",
                                  "landscape_3.png", "landscape_3.svg", "landscape_3.vti"));
  const Ran side = Run({"export", "--format", "svg", "--view", "surface", "-o", dir_.path(), run});
  EXPECT_EQ(side.exit_code, 0) << side.err;
  EXPECT_THAT(ReadFileOrDie(dir_.File("landscape_3.svg")), StartsWith("<svg"));
}

TEST_F(LandscapeProgramTest, LinesAloneCostAFewPoints) {
  const std::string run = Training();
  const std::string loss = "while read x y path; do echo $x 7; done";
  const Ran ran = Run({"run", "--loss", loss, "--size", "5x1", "--lines", "3", run});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("5 x 1 points and lines recorded"));
  const Ran exported = Run({"export", "--format", "csv", "-o", dir_.path(), run});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string csv = ReadFileOrDie(dir_.File("landscape_1_3.csv"));
  EXPECT_THAT(csv, StartsWith("kind,step,x,y,loss,metric_1\n"));
  EXPECT_THAT(csv, HasSubstr("\nline_checkpoints,,-0.2,,-0.2,7\n"));
  EXPECT_THAT(csv, HasSubstr("\nline_checkpoints,,1.2,,1.2,7\n"));
  const Ran wrong = Run({"run", "--loss", loss, "--size", "5x", run});
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_THAT(wrong.err, HasSubstr("'5x' is not a size"));
}

TEST_F(LandscapeProgramTest, TakesDirectionsFromFiles) {
  const std::string run = Training();
  testing::WriteFileOrDie(dir_.File("a.ckpt"), MindSporeTensor("w.weight", {5}, {1, 0, 0, 0, 0}));
  testing::WriteFileOrDie(dir_.File("b.ckpt"), MindSporeTensor("w.weight", {5}, {0, 1, 0, 0, 0}));
  const Ran info = Run({"info", "--json", "--normalisation", "none", "--directions",
                        dir_.File("a.ckpt"), dir_.File("b.ckpt"), "--", run});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  const auto json = nlohmann::json::parse(info.out);
  EXPECT_EQ(json["decomposition"], "Given");
  EXPECT_EQ(json["path"]["x"], nlohmann::json({0.0, 1.0, 0.0}));
  EXPECT_EQ(json["path"]["y"], nlohmann::json({1.0, 1.0, 0.0}));
  EXPECT_TRUE(json["explained_variance"].is_null());
}

// A loss that ends after three points leaves what can be looked at.
TEST_F(LandscapeProgramTest, ExportsWhatIsKnownOfALandscapeThatIsNotFinished) {
  const std::string run = Training();
  const std::string loss = "for i in 1 2 3 4 5; do read x y path; echo 2; done";
  EXPECT_EQ(Run({"run", "--loss", loss, run}).exit_code, 2);
  const Ran exported = Run({"export", "--format", "csv", "-o", dir_.path(), run});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_THAT(exported.err, HasSubstr("landscape_[1, 3]: 5 of 19 points are known"));
  const std::string csv = ReadFileOrDie(dir_.File("landscape_1_3.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 + 3 + 1);  // Two of the grid.
}

// Every rank refuses, so that none waits for the others and no journal has two writers.
TEST_F(LandscapeProgramTest, RunIsRefusedInEveryRankOfAnMpiJob) {
  const std::string run = Training();
  const std::vector<std::array<const char*, 2>> variables = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
      {"PMI_SIZE", "PMI_RANK"},
      {"MPI_LOCALNRANKS", "MPI_LOCALRANKID"}};
  for (const auto& [size, rank] : variables) {
    for (const char* number : {"0", "1"}) {
      setenv(size, "2", 1);
      setenv(rank, number, 1);
      const Ran ran = Run({"run", "--loss", "while read x y path; do echo 1; done", run});
      unsetenv(size);
      unsetenv(rank);
      EXPECT_EQ(ran.exit_code, 2) << size;
      EXPECT_EQ(ran.out, "");
      EXPECT_THAT(ran.err, AllOf(HasSubstr("--jobs N"), HasSubstr("mpi4py.futures"))) << size;
    }
  }
  EXPECT_EQ(FileSystem::Local().List(run).value(), std::vector<std::string>{"ckpt_dir"});
  setenv("PMI_SIZE", "1", 1);  // One process is not a job of several.
  EXPECT_EQ(Run({"run", "--loss", "while read x y path; do echo 1; done", run}).exit_code, 0);
  unsetenv("PMI_SIZE");
}

TEST_F(LandscapeProgramTest, SaysWhatIsMissing) {
  const Ran info = Run({"info", dir_.path()});
  EXPECT_EQ(info.exit_code, 2);
  EXPECT_THAT(info.err, HasSubstr("there is no train_metadata.json"));
  const Ran none = Run({"export", "--format", "csv", CorpusPath("mindspore/lenet")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("no landscape is recorded in it"));
}

}  // namespace
}  // namespace sightline
