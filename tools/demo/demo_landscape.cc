#include "sightline/tools/demo/demo_landscape.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "sightline/base/replace_file.h"
#include "sightline/base/wire.h"
#include "sightline/export/landscape_svg.h"
#include "sightline/landscape/generate.h"

namespace sightline::demo {
namespace {

// Loss grows by orders of magnitude away from the training.
constexpr bool kLogScale = true;

// The mean loss over the first images, by a network of each worker.
class DigitsLoss {
 public:
  DigitsLoss(const Digits& digits, std::int64_t samples, int workers) {
    const auto count = static_cast<int>(std::min<std::int64_t>(samples, digits.count()));
    images_.resize(Eigen::Index{count} * kImagePixels, 1);
    for (int i = 0; i < count; ++i)
      std::ranges::copy(digits.Image(i), images_.data() + Eigen::Index{i} * kImagePixels);
    classes_.assign(digits.classes.begin(), digits.classes.begin() + count);
    for (int i = 0; i < workers; ++i)
      nets_.push_back(std::make_unique<DigitsNet<float>>(std::mt19937_64(1)));
  }

  Result<std::vector<double>> operator()(const landscape::PointParameters& point) {
    DigitsNet<float>& net = *nets_[static_cast<std::size_t>(point.worker)];
    const float* values = point.values.data();  // In the order in which they were saved.
    for (Parameter<float>* parameter : net.Parameters()) {
      std::copy_n(values, parameter->value.size(), parameter->value.data());
      values += parameter->value.size();
    }
    net.Forward(images_);
    const std::vector<float>& losses = net.Loss(classes_);
    const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
    return std::vector<double>{sum / static_cast<double>(losses.size())};
  }

 private:
  Matrix<float> images_;
  std::vector<std::uint8_t> classes_;
  std::vector<std::unique_ptr<DigitsNet<float>>> nets_;
};

Status Draw(const LossLandscape& landscape, const std::string& title, const std::string& path) {
  const auto picture = LandscapeSvg(landscape, {.title = title, .log_scale = kLogScale});
  if (!picture) return picture.error();
  return ReplaceFile(FileSystem::Local(), path, path + ".unfinished",
                     [&picture](WritableFile& out) { return out.WriteAt(0, *picture); });
}

}  // namespace

LandscapeOptions LandscapeOf(int epochs, int size) {
  LandscapeOptions options{.landscape_size = size, .unit = LandscapeUnit::kEpoch};
  options.intervals.emplace_back(static_cast<std::size_t>(epochs));
  std::iota(options.intervals[0].begin(), options.intervals[0].end(), 1);
  return options;
}

Status SaveParameters(DigitsTrainer& trainer, const std::string& path) {
  nlohmann::ordered_json header;
  std::string data;
  for (const Parameter<float>* parameter : trainer.net().Parameters()) {
    const std::size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(parameter->value.data()),
                static_cast<std::size_t>(parameter->value.size()) * sizeof(float));
    header[parameter->name] = {
        {"dtype", "F32"}, {"shape", parameter->shape}, {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  std::string file;
  wire::AppendFixed(file, static_cast<std::uint64_t>(text.size()));
  file += text + data;
  return ReplaceFile(FileSystem::Local(), path, path + ".unfinished",
                     [&file](WritableFile& out) { return out.WriteAt(0, file); });
}

Result<std::vector<std::string>> DrawLandscapes(const Digits& digits, const std::string& directory,
                                                const std::function<void(std::string_view)>& say) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const landscape::TrainMetadata metadata,
                                 landscape::ReadTrainMetadata(FileSystem::Local(), directory));
  const int workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  DigitsLoss loss(digits, metadata.num_samples, workers);
  landscape::GenerateOptions options;
  options.workers = workers;
  options.progress = [&say](const landscape::GenerateProgress& progress) {
    if (progress.points_done == progress.points)
      say(fmt::format("  {}: {} points", progress.tag, progress.points));
  };
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::vector<LossLandscape> made,
                                 landscape::GenerateLandscapes(metadata, std::ref(loss), options));
  std::vector<std::string> pictures;
  for (const LossLandscape& landscape : made) {
    const bool is_training = landscape.path.has_value();
    pictures.push_back(
        JoinPath(directory, is_training ? "landscape_training.svg" : "landscape_result.svg"));
    SIGHTLINE_UNEXPECTED_IF_ERROR(
        Draw(landscape, is_training ? "the training" : "around its result", pictures.back()));
  }
  return pictures;
}

}  // namespace sightline::demo
