#include "sightline/tools/demo/demo_landscape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "sightline/base/parallel.h"
#include "sightline/base/replace_file.h"
#include "sightline/base/wire.h"
#include "sightline/export/landscape/landscape_picture.h"
#include "sightline/landscape/generate.h"

namespace sightline::demo {
namespace {

// Loss grows by orders of magnitude away from the training.
constexpr bool kLogScale = true;

// The mean loss over the first images. Each worker has a network of its own.
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
    SIGHTLINE_RETURN_IF_ERROR(Load(point, net));
    net.Forward(images_);
    const std::vector<float>& losses = net.Loss(classes_);
    const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
    return std::vector<double>{sum / static_cast<double>(losses.size())};
  }

 private:
  // Parameters that do not move have the last checkpoint's value.
  static Status Load(const landscape::PointParameters& point, DigitsNet<float>& net) {
    for (Parameter<float>* parameter : net.Parameters()) {
      const std::span<float> out(parameter->value.data(),
                                 static_cast<std::size_t>(parameter->value.size()));
      const auto& slots = point.parameters.slots();
      const auto slot = std::ranges::find(slots, parameter->name, &landscape::ParameterSlot::name);
      if (slot != slots.end() && slot->count == out.size()) {
        std::ranges::copy(point.values.subspan(slot->begin, slot->count), out.begin());
        continue;
      }
      const auto& tensors = point.parameters.last().tensors();
      const auto fixed =
          std::ranges::find(tensors, parameter->name, &landscape::CheckpointTensor::name);
      if (fixed == tensors.end() || fixed->dtype != DType::kFloat32 ||
          fixed->ElementCount() != out.size()) {
        return Status(
            StatusCode::kInvalidArgument,
            fmt::format("{} has no '{}' of {} float32 numbers, as the demo's network has: give "
                        "the program that computes the loss of your network by --loss",
                        point.parameters.last().name(), parameter->name, out.size()));
      }
      std::memcpy(out.data(), fixed->pieces.front().data(), out.size_bytes());
    }
    return {};
  }

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

LandscapeOptions DemoLandscapeOptions(int epochs, int size) {
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

Result<landscape::LossFunction> DemoLoss(std::int64_t samples, int workers) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Digits digits, ReadDigits(EmbeddedDigits()));
  // A std::function must be copyable, and the networks are not.
  const auto loss = std::make_shared<DigitsLoss>(digits, samples, workers);
  return [loss](const landscape::PointParameters& point) { return (*loss)(point); };
}

Result<std::vector<std::string>> DrawLandscapes(const std::string& directory,
                                                const std::function<void(std::string_view)>& say) {
  SIGHTLINE_ASSIGN_OR_RETURN(const landscape::TrainMetadata metadata,
                             landscape::ReadTrainMetadata(directory));
  const int workers = static_cast<int>(CoreCount());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto loss, DemoLoss(metadata.num_samples, workers));
  landscape::GenerateOptions options;
  options.workers = workers;
  options.progress = [&say](const landscape::GenerateProgress& progress) {
    if (progress.points_done == progress.points)
      say(fmt::format("  {}: {} points", progress.tag, progress.points));
  };
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<LossLandscape> made,
                             landscape::GenerateLandscapes(metadata, loss, options));
  std::vector<std::string> pictures;
  for (const LossLandscape& landscape : made) {
    const bool is_training = landscape.path.has_value();
    pictures.push_back(
        JoinPath(directory, is_training ? "landscape_training.svg" : "landscape_result.svg"));
    SIGHTLINE_RETURN_IF_ERROR(
        Draw(landscape, is_training ? "the training" : "around its result", pictures.back()));
  }
  return pictures;
}

}  // namespace sightline::demo
