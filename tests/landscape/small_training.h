// A training of a few numbers whose checkpoints and metadata are in a temporary run directory.
#pragma once

#include <string>
#include <vector>

#include "sightline/landscape/directions/plane.h"
#include "sightline/tests/landscape/checkpoint_bytes.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

// Three checkpoints of "w.weight" (2 x 2) and "b.bias" (2); "steps" does not move.
class SmallTraining {
 public:
  explicit SmallTraining(int size = 5, float steps = 42) {
    const std::vector<std::vector<float>> saved = {
        {1, 2, 3, 4, 5, 6}, {2, 2, 1, 4, 4, 6}, {0.5F, 1, 1, 3, 2, 7}};
    std::string files;
    for (std::size_t i = 0; i < saved.size(); ++i) {
      const std::string name = "net_" + std::to_string(i + 1) + "_epoch.ckpt";
      const std::vector<float>& v = saved[i];
      WriteFileOrDie(Folder() + "/" + name,
                     MindSporeTensor("w.weight", {2, 2}, {v[0], v[1], v[2], v[3]}) +
                         MindSporeTensor("b.bias", {2}, {v[4], v[5]}) +
                         MindSporeTensor("steps", {0}, {steps}));
      files += (i == 0 ? "\"" : ", \"") + std::to_string(i + 1) + "\": \"/gone/" + name + "\"";
    }
    WriteFileOrDie(Folder() + "/train_metadata.json",
                   R"({"epoch_group": {"0": [1, 2, 3]}, "model_params_file_map": {)" + files +
                       R"(}, "step_per_epoch": 7, "unit": "epoch", "num_samples": 4, )" +
                       R"("landscape_size": )" + std::to_string(size) +
                       R"(, "create_landscape": {"train": true, "result": true}})");
  }

  const std::string& path() const { return directory_.path(); }

  landscape::TrainMetadata Metadata() const {
    const auto metadata = landscape::ReadTrainMetadata(path());
    EXPECT_THAT(metadata, IsOk());
    return metadata ? *metadata : landscape::TrainMetadata();
  }

  landscape::Plane PlaneOfAll() const {
    auto plane = landscape::PlaneOfInterval(Metadata(), 0, {});
    EXPECT_THAT(plane, IsOk());
    return *std::move(plane);
  }

  std::string JournalPath() const { return path() + "/.landscape_1_3_PCA.points"; }

 private:
  std::string Folder() const {
    std::string folder = directory_.path() + "/ckpt_dir";
    EXPECT_THAT(FileSystem::Local().CreateDirectories(folder), IsOk());
    return folder;
  }

  TempDir directory_;
};

// The sum of squares.
inline double Quadratic(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return sum;
}

}  // namespace sightline::testing
