#include "sightline/collectors/collect/landscape_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/replace_file.h"

namespace sightline {
namespace {

constexpr char kMetadataName[] = "train_metadata.json";
constexpr std::uint64_t kMaxMetadataBytes = std::uint64_t{16} << 20;

// The step, as EndStep counts, at whose end `number` is reached; nothing if there is none.
std::optional<std::int64_t> StepOf(std::int64_t number, LandscapeUnit unit,
                                   std::int64_t steps_per_epoch, bool sink_mode) {
  const bool in_steps = unit == LandscapeUnit::kStep;
  if (in_steps != sink_mode) return number;
  if (steps_per_epoch <= 0) return std::nullopt;
  if (in_steps) {
    if (number % steps_per_epoch != 0) return std::nullopt;
    return number / steps_per_epoch;
  }
  if (number > StepSeries::kNever / steps_per_epoch) return std::nullopt;
  return number * steps_per_epoch;
}

// Makes a class name that can be part of a file name.
std::string FileNamePart(std::string_view network) {
  std::string name(network.empty() ? "network" : network);
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  return name;
}

}  // namespace

LandscapeSchedule::LandscapeSchedule(const LandscapeOptions& options, std::int64_t steps_per_epoch,
                                     bool sink_mode) {
  for (const auto& interval : options.intervals) {
    for (const std::int64_t number : interval) {
      const auto step = StepOf(number, options.unit, steps_per_epoch, sink_mode);
      if (step) numbers_[*step] = number;
    }
  }
}

std::optional<std::int64_t> LandscapeSchedule::CheckpointAt(std::int64_t step) const {
  const auto found = numbers_.find(step);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t LandscapeSchedule::NextAfter(std::int64_t step) const {
  const auto next = numbers_.upper_bound(step);
  return next == numbers_.end() ? StepSeries::kNever : next->first;
}

std::string LandscapeMetadata(const LandscapeOptions& options, std::int64_t steps_per_epoch,
                              const CheckpointFiles& files) {
  nlohmann::ordered_json json;
  json["epoch_group"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < options.intervals.size(); ++i) {
    for (const std::int64_t number : options.intervals[i])
      if (files.contains(number)) json["epoch_group"][fmt::to_string(i)].push_back(number);
  }
  json["model_params_file_map"] = nlohmann::ordered_json::object();
  for (const auto& [number, path] : files)
    json["model_params_file_map"][fmt::to_string(number)] = path;
  json["step_per_epoch"] = steps_per_epoch;
  json["unit"] = LandscapeUnitName(options.unit);
  json["num_samples"] = options.num_samples;
  json["landscape_size"] = options.landscape_size;
  json["create_landscape"] = {{"train", options.create_landscape.train},
                              {"result", options.create_landscape.result}};
  return JsonLine(json);
}

LandscapeCollector::LandscapeCollector(const LandscapeOptions& options, const Save& save,
                                       FileSystem& file_system, const std::string& directory)
    : options_(options),
      save_(save),
      file_system_(file_system),
      directory_((std::filesystem::absolute(directory) / "ckpt_dir").lexically_normal().string()) {}

void LandscapeCollector::Begin(const TrainInfo& train) {
  steps_per_epoch_ = train.steps_per_epoch.value_or(0);
  schedule_ = LandscapeSchedule(options_, steps_per_epoch_, train.sink_mode);
  network_ = FileNamePart(train.network.value_or(""));
}

Status LandscapeCollector::EndStep(std::int64_t step) {
  const auto number = schedule_.CheckpointAt(step);
  if (!number || step == last_step_) return {};
  last_step_ = step;
  const std::string path = JoinPath(directory_, fmt::format("{}_{}_{}.ckpt", network_, *number,
                                                            LandscapeUnitName(options_.unit)));
  SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(directory_));
  SIGHTLINE_RETURN_IF_ERROR(save_(path).WithContext("save_checkpoint"));
  if (!file_system_.Stat(path)) {
    return Status(StatusCode::kFailedPrecondition, "save_checkpoint left no file " + path +
                                                       ": it must write to the path it is given");
  }
  if (!files_) ReadEarlierFiles();
  (*files_)[*number] = path;
  return WriteMetadata();
}

// Writes the file whole or not at all, since a training may be killed.
Status LandscapeCollector::WriteMetadata() {
  const std::string path = JoinPath(directory_, kMetadataName);
  const std::string text = LandscapeMetadata(options_, steps_per_epoch_, *files_);
  return ReplaceFile(file_system_, path, path + ".unfinished",
                     [&text](WritableFile& out) { return out.WriteAt(0, text); });
}

// Reads the files of a run that is continued. A file of another form, or with another unit, is
// ignored, and replaced later.
void LandscapeCollector::ReadEarlierFiles() {
  files_.emplace();
  const auto file = file_system_.OpenForRead(JoinPath(directory_, kMetadataName));
  if (!file) return;
  const auto size = (*file)->Size();
  if (!size || *size > kMaxMetadataBytes) return;
  std::string text(*size, '\0');
  const auto got = (*file)->ReadAt(0, text);
  const auto json = ParseForeignJson<nlohmann::json>(text);
  if (!got || !json.is_object() ||
      json.value("unit", nlohmann::json()) != nlohmann::json(LandscapeUnitName(options_.unit)))
    return;
  const nlohmann::json map = json.value("model_params_file_map", nlohmann::json());
  if (!map.is_object()) return;
  for (const auto& [key, path] : map.items()) {
    const auto number = ParseNumber<std::int64_t>(key);
    if (number && path.is_string()) files_->try_emplace(*number, path.get<std::string>());
  }
}

}  // namespace sightline
