#include "sightline/landscape/checkpoints/train_metadata.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"

namespace sightline::landscape {
namespace {

using Json = nlohmann::json;

constexpr char kMetadataName[] = "train_metadata.json";
constexpr char kCheckpointFolder[] = "ckpt_dir";
constexpr std::uint64_t kMaxMetadataBytes = std::uint64_t{16} << 20U;
constexpr std::int64_t kMinSize = 3;
constexpr std::int64_t kMaxSize = 256;

Status Wrong(std::string_view field, std::string_view expected) {
  return Status(StatusCode::kDataLoss, fmt::format("'{}' is not {}", field, expected));
}

Status ReadInteger(const Json& json, const char* field, std::int64_t low, std::int64_t high,
                   std::int64_t& out) {
  const auto found = json.find(field);
  if (found == json.end()) return {};
  const bool fits = found->is_number_integer() &&
                    !(found->is_number_unsigned() && found->get<std::uint64_t>() > INT64_MAX);
  if (!fits || found->get<std::int64_t>() < low || found->get<std::int64_t>() > high)
    return Wrong(field, fmt::format("a whole number from {} to {}", low, high));
  out = found->get<std::int64_t>();
  return {};
}

Status ReadFlag(const Json& json, const char* field, bool& out) {
  const auto found = json.find(field);
  if (found == json.end()) return {};
  if (!found->is_boolean()) return Wrong(field, "true or false");
  out = found->get<bool>();
  return {};
}

Status ReadIntervals(const Json& json, TrainMetadata& out) {
  const auto found = json.find("epoch_group");
  if (found == json.end() || !found->is_object()) return Wrong("epoch_group", "an object of lists");
  std::map<std::int64_t, std::vector<std::int64_t>> groups;  // "10" comes after "9".
  for (const auto& [key, list] : found->items()) {
    const auto number = ParseNumber<std::int64_t>(key);
    if (!number || !list.is_array()) return Wrong("epoch_group", "an object of lists");
    std::vector<std::int64_t>& group = groups[*number];
    for (const Json& entry : list) {
      if (!entry.is_number_integer()) return Wrong("epoch_group", "of whole numbers");
      group.push_back(entry.get<std::int64_t>());
    }
    if (group.empty()) return Wrong("epoch_group", "of lists with at least one number");
  }
  for (auto& [number, group] : groups) out.intervals.push_back(std::move(group));
  return out.intervals.empty() ? Wrong("epoch_group", "with at least one list") : Status();
}

Status ReadFiles(const Json& json, TrainMetadata& out) {
  constexpr char kField[] = "model_params_file_map";
  const auto found = json.find(kField);
  if (found == json.end() || !found->is_object()) return Wrong(kField, "an object of paths");
  for (const auto& [key, path] : found->items()) {
    const auto number = ParseNumber<std::int64_t>(key);
    if (!number || !path.is_string()) return Wrong(kField, "an object of paths");
    out.files[*number] = path.get<std::string>();
  }
  return {};
}

Status ReadFields(const Json& json, TrainMetadata& out) {
  if (!json.is_object()) return Status(StatusCode::kDataLoss, "not a JSON object");
  SIGHTLINE_RETURN_IF_ERROR(ReadIntervals(json, out));
  SIGHTLINE_RETURN_IF_ERROR(ReadFiles(json, out));
  SIGHTLINE_RETURN_IF_ERROR(ReadInteger(json, "step_per_epoch", 0, INT32_MAX, out.step_per_epoch));
  SIGHTLINE_RETURN_IF_ERROR(ReadInteger(json, "num_samples", 1, INT64_MAX, out.num_samples));
  SIGHTLINE_RETURN_IF_ERROR(
      ReadInteger(json, "landscape_size", kMinSize, kMaxSize, out.landscape_size));
  if (const auto unit = json.find("unit"); unit != json.end()) {
    if (!unit->is_string() || (*unit != "step" && *unit != "epoch"))
      return Wrong("unit", "\"step\" or \"epoch\"");
    out.unit = unit->get<std::string>();
  }
  if (const auto create = json.find("create_landscape"); create != json.end()) {
    if (!create->is_object()) return Wrong("create_landscape", "an object");
    SIGHTLINE_RETURN_IF_ERROR(ReadFlag(*create, "train", out.create_train));
    SIGHTLINE_RETURN_IF_ERROR(ReadFlag(*create, "result", out.create_result));
  }
  return {};
}

// REQUIRES: `json` is an object.
Result<TrainMetadata> Changed(Json json, std::string_view changes) {
  const Json changed = ParseForeignJson<Json>(changes);
  if (!changed.is_object())
    return Error(StatusCode::kInvalidArgument, "the changes to the metadata are not a JSON object");
  json.update(changed);
  TrainMetadata metadata;
  const Status status = ReadFields(json, metadata);
  if (!status.ok()) return Error(StatusCode::kInvalidArgument, std::string(status.message()));
  return metadata;
}

// Returns the path of the metadata, or kNotFound.
Result<std::string> FindMetadata(FileSystem& file_system, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, file_system.Stat(path));
  if (!info.is_directory) return path;
  const std::string below = JoinPath(JoinPath(path, kCheckpointFolder), kMetadataName);
  if (file_system.Stat(below)) return below;
  std::string beside = JoinPath(path, kMetadataName);
  if (file_system.Stat(beside)) return beside;
  return Error(StatusCode::kNotFound,
               fmt::format("{}: there is no {} in it or in its {}; record the training with "
                           "collect_landscape",
                           path, kMetadataName, kCheckpointFolder));
}

Result<std::string> ReadMetadataText(FileSystem& file_system, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  if (size > kMaxMetadataBytes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{}: {} bytes are too large for a {}", path, size, kMetadataName));
  }
  std::string text(size, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file->ReadAt(0, text));
  text.resize(got);
  return text;
}

}  // namespace

Result<TrainMetadata> ReadTrainMetadata(const std::string& path, std::string_view changes,
                                        FileSystem* file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string found, FindMetadata(*file_system, path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadMetadataText(*file_system, found));
  auto json = ParseForeignJson<Json>(text);
  TrainMetadata metadata;
  SIGHTLINE_RETURN_IF_ERROR(ReadFields(json, metadata).WithContext(found));
  if (!changes.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(metadata, Changed(std::move(json), changes));
  }
  metadata.directory = DirectoryOf(found);
  metadata.file_system = file_system;
  const std::string absolute = file_system->AbsolutePath(metadata.directory);
  metadata.run_directory =
      BaseName(absolute) == kCheckpointFolder ? DirectoryOf(absolute) : metadata.directory;
  return metadata;
}

Result<Checkpoint> OpenCheckpoint(const TrainMetadata& metadata, std::int64_t number) {
  const auto named = metadata.files.find(number);
  if (named == metadata.files.end()) {
    return Error(StatusCode::kNotFound,
                 fmt::format("{}: 'model_params_file_map' has no checkpoint of {} {}",
                             JoinPath(metadata.directory, kMetadataName), metadata.unit, number));
  }
  FileSystem* const file_system = metadata.file_system;
  if (file_system->Stat(named->second)) return Checkpoint::Open(named->second, file_system);
  const std::string beside = JoinPath(metadata.directory, BaseName(named->second));
  if (file_system->Stat(beside)) return Checkpoint::Open(beside, file_system);
  return Error(StatusCode::kNotFound,
               fmt::format("the checkpoint of {} {} is neither at {} nor at {}", metadata.unit,
                           number, named->second, beside));
}

std::string LandscapeTag(const std::vector<std::int64_t>& numbers) {
  if (numbers.size() == 1) return fmt::format("landscape_[{}]", numbers.front());
  return fmt::format("landscape_[{}, {}]", numbers.front(), numbers.back());
}

}  // namespace sightline::landscape
