// sightline landscape, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::MindSporeTensor;
using testing::Ran;
using testing::ReadFileOrDie;
using ::testing::SizeIs;
using ::testing::StartsWith;

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
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["tag"], "landscape_[1, 3]");
  EXPECT_EQ(json["decomposition"], "PCA");
  EXPECT_THAT(json["explained_variance"], SizeIs(2));
  EXPECT_THAT(json["distances"], SizeIs(3));
  EXPECT_THAT(json["path"]["y"], SizeIs(3));
  EXPECT_THAT(json["axes"]["x"], SizeIs(10));
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

TEST_F(LandscapeProgramTest, ExportsWhatMindSporeRecorded) {
  const std::string run = CorpusPath("mindspore/lenet_landscape");
  for (const char* format : {"npz", "vti", "svg"}) {
    const Ran ran = Run({"export", "--format", format, "-o", dir_.path(), run});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  const auto names = FileSystem::Local().List(dir_.path());
  ASSERT_THAT(names, IsOk());
  EXPECT_THAT(*names, ElementsAre("landscape_1_3.npz", "landscape_1_3.svg", "landscape_1_3.vti",
                                  "landscape_1_3.vtp", "landscape_3.npz", "landscape_3.svg",
                                  "landscape_3.vti"));
  EXPECT_THAT(ReadFileOrDie(dir_.File("landscape_3.svg")), StartsWith("<svg"));
}

TEST_F(LandscapeProgramTest, SaysWhatIsMissing) {
  const Ran info = Run({"info", dir_.path()});
  EXPECT_EQ(info.exit_code, 2);
  EXPECT_THAT(info.err, HasSubstr("there is no train_metadata.json"));
  const Ran none = Run({"export", "--format", "csv", CorpusPath("mindspore/lenet")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("no landscape is recorded there"));
  EXPECT_EQ(Run({"run", dir_.path()}).exit_code, 2);
}

}  // namespace
}  // namespace sightline
