// /api/v1/exported, exported/value: the .npy files that a run's recorder wrote beside its events.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/parse_number.h"
#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/recorder/tensor/npy.h"

namespace sightline::dashboard {
namespace {

constexpr std::string_view kPrefix = "export_";
constexpr std::string_view kEnding = ".npy";
constexpr char kTensors[] = "tensor";
constexpr std::size_t kMaxFiles = 1'000'000;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;

bool IsExportFolder(std::string_view name) {
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find('/') == std::string_view::npos;
}

struct ExportedFile {
  std::string tag;
  std::int64_t step = 0;
};

// Parses "<tag, percent-encoded>_<step>.npy" (npy_name.h). No value for any other name.
std::optional<ExportedFile> ParseName(std::string_view name) {
  if (!name.ends_with(kEnding)) return std::nullopt;
  name.remove_suffix(kEnding.size());
  const std::size_t line = name.rfind('_');
  if (line == std::string_view::npos) return std::nullopt;
  const auto step = ParseNumber<std::int64_t>(name.substr(line + 1));
  const auto tag = DecodePercent(name.substr(0, line));
  if (!step || !tag) return std::nullopt;
  return ExportedFile{*tag, *step};
}

// The tags in one folder, each with its steps and file names in the order of the steps.
Json TensorsIn(const std::string& folder, const std::vector<std::string>& names,
               std::size_t& count) {
  std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> files;
  for (const std::string& name : names) {
    const auto parsed = ParseName(name);
    if (parsed && ++count <= kMaxFiles) files[parsed->tag].emplace_back(parsed->step, name);
  }
  Json tensors = Json::array();
  for (auto& [tag, of_tag] : files) {
    std::sort(of_tag.begin(), of_tag.end());
    Json one = {
        {"folder", folder}, {"tag", tag}, {"steps", Json::array()}, {"files", Json::array()}};
    for (auto& [step, name] : of_tag) {
      one["steps"].push_back(step);
      one["files"].push_back(std::move(name));
    }
    tensors.push_back(std::move(one));
  }
  return tensors;
}

Result<Response> ExportedResponse(const CatalogSnapshot& catalog, FileSystem& files,
                                  const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files.List(of->run->directory()));
  std::size_t count = 0;
  Json tensors = Json::array();
  for (const std::string& folder : names) {
    if (!IsExportFolder(folder)) continue;
    const auto listed = files.List(JoinPath(JoinPath(of->run->directory(), folder), kTensors));
    if (!listed) continue;
    for (Json& tensor : TensorsIn(folder, *listed, count)) tensors.push_back(std::move(tensor));
  }
  return JsonResponse({{"run", of->id}, {"tensors", std::move(tensors)}});
}

Result<Response> ExportedValueResponse(const CatalogSnapshot& catalog, FileSystem& files,
                                       const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* of, RunOf(catalog, request));
  const std::string folder = target.Get("folder");
  const std::string file = target.Get("file");
  const auto parsed = ParseName(file);
  if (!IsExportFolder(folder) || !parsed || file.find('/') != std::string::npos) {
    return Error(StatusCode::kNotFound,
                 fmt::format("there is no exported tensor '{}/{}'", folder, file));
  }
  const std::string path =
      JoinPath(JoinPath(JoinPath(of->run->directory(), folder), kTensors), file);
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, files.Stat(path));
  if (info.size > kMaxBytes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("the file has {} MB; the dashboard shows {} MB at most",
                             info.size >> 20U, kMaxBytes >> 20U));
  }
  auto array = ReadNpyFile(files, path);
  if (!array) return UndecodedResponse(array.error());
  HeavyPoint point;
  point.step = parsed->step;
  point.wall_time = info.modified_seconds;
  return TensorResponse({array->dtype, std::move(array->shape), std::move(array->data)}, point,
                        target);
}

}  // namespace

void AddExportedApi(Service& service, const Catalog& catalog, FileSystem& files) {
  AddResponseOfFiles(service, "/api/v1/exported", catalog, files, ExportedResponse);
  AddResponseOfFiles(service, "/api/v1/exported/value", catalog, files, ExportedValueResponse);
}

}  // namespace sightline::dashboard
