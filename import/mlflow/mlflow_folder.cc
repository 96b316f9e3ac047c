#include "sightline/import/mlflow/mlflow_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/parse_number.h"
#include "sightline/base/utf8.h"
#include "sightline/import/mlflow/imported_run.h"
#include "sightline/import/mlflow/metric_line.h"
#include "sightline/import/mlflow/run_folders.h"
#include "sightline/import/mlflow/run_meta.h"

namespace sightline {
namespace {

constexpr char kMetaFile[] = "meta.yaml";
constexpr char kTrash[] = ".trash";
constexpr std::size_t kLargestText = std::size_t{1} << 20U;  // Of a parameter, a tag, a meta.yaml.
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kLongestName = 1000;  // MLflow's own limit is 250 characters.
constexpr int kDeepestName = 32;            // Folders in folders.
constexpr std::size_t kMostNotes = 20;

using Meta = std::map<std::string, std::string>;

const std::string& ValueOf(const Meta& meta, const char* name) {
  static const std::string none;
  const auto found = meta.find(name);
  return found != meta.end() ? found->second : none;
}

// mlflow/protos/service.proto, RunStatus. The first versions wrote the name.
std::string StatusOf(const std::string& status) {
  constexpr std::array<const char*, 5> kNames = {"RUNNING", "SCHEDULED", "FINISHED", "FAILED",
                                                 "KILLED"};
  const auto number = ParseNumber<std::size_t>(status);
  if (!number) return status;
  return *number >= 1 && *number <= kNames.size() ? kNames[*number - 1] : "";
}

class FolderImport {
 public:
  FolderImport(FileSystem& file_system, std::string path, const std::string& folder)
      : file_system_(file_system), path_(std::move(path)), folders_(folder) {}

  Status Run();
  ImportReport TakeReport() { return std::move(report_); }

 private:
  using Use = std::function<Status(const std::string& path, const std::string& name)>;

  Status ImportExperiment(const std::string& folder);
  // None if the run is left out.
  std::optional<ImportedRun> RunIn(const std::string& folder);
  Status WriteRun(const std::string& folder, ImportedRun run);
  Status ReadMetric(const std::string& path, std::string_view tag, RunWriter& writer);
  void AddLine(std::string_view line, std::string_view tag, RunWriter& writer);

  // Of names, in their order: those of folders that are no links.
  Result<std::vector<std::string>> FoldersIn(const std::string& folder);
  // Calls `use` for each file in and below a folder, which need not exist. A name is the path
  // below.
  Status ForEachFile(const std::string& folder, const Use& use, const std::string& prefix = "",
                     int depth = 0);
  bool IsFolder(const std::string& path);
  Result<std::string> ReadText(const std::string& path);
  Result<Meta> ReadMeta(const std::string& folder);
  Status CountFiles(const std::string& folder, const char* kind);

  FileSystem& file_system_;
  std::string path_;
  RunFolders folders_;
  ImportReport report_;
};

bool FolderImport::IsFolder(const std::string& path) {
  const auto info = file_system_.Stat(path);
  if (!info || !info->is_directory) return false;
  std::error_code error;
  const auto real = file_system_.MappablePath(path);
  return !real || !std::filesystem::is_symlink(*real, error);
}

Result<std::vector<std::string>> FolderImport::FoldersIn(const std::string& folder) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<std::string> names, file_system_.List(folder));
  std::erase_if(names, [&](const std::string& name) { return !IsFolder(JoinPath(folder, name)); });
  std::sort(names.begin(), names.end());
  return names;
}

Status FolderImport::ForEachFile(const std::string& folder, const Use& use,
                                 const std::string& prefix, int depth) {
  if (!IsFolder(folder)) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<std::string> names, file_system_.List(folder));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = JoinPath(folder, name);
    const auto info = file_system_.Stat(path);
    if (!info) continue;
    if (!info->is_directory) {
      SIGHTLINE_RETURN_IF_ERROR(use(path, JoinPath(prefix, name)));
    } else if (depth < kDeepestName) {
      SIGHTLINE_RETURN_IF_ERROR(ForEachFile(path, use, JoinPath(prefix, name), depth + 1));
    }
  }
  return {};
}

Result<std::string> FolderImport::ReadText(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, file_system_.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  std::string text(std::min<std::uint64_t>(size, kLargestText), '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, file->ReadAt(0, text));
  text.resize(read);
  return text;
}

Result<Meta> FolderImport::ReadMeta(const std::string& folder) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadText(JoinPath(folder, kMetaFile)));
  return ParseMeta(text);
}

Status FolderImport::CountFiles(const std::string& folder, const char* kind) {
  return ForEachFile(folder, [&](const std::string& /*path*/, const std::string& /*name*/) {
    ++report_.unread[kind];
    return Status();
  });
}

Status FolderImport::Run() {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> names, FoldersIn(path_));
  bool any = false;
  for (const std::string& name : names) {
    const std::string folder = JoinPath(path_, name);
    if (name == kTrash || !file_system_.Stat(JoinPath(folder, kMetaFile))) continue;
    any = true;
    SIGHTLINE_RETURN_IF_ERROR(ImportExperiment(folder));
  }
  if (!any) {
    const bool has_database = file_system_.Stat(path_ + "/mlflow.db").has_value();
    return {StatusCode::kInvalidArgument,
            std::string("not a folder of MLflow's: no folder in it has a meta.yaml") +
                (has_database ? "; its database is " + path_ + "/mlflow.db" : "")};
  }
  if (!IsFolder(JoinPath(path_, kTrash))) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> deleted,
                             FoldersIn(JoinPath(path_, kTrash)));
  for (const std::string& name : deleted)
    SIGHTLINE_RETURN_IF_ERROR(ImportExperiment(JoinPath(JoinPath(path_, kTrash), name)));
  return {};
}

Status FolderImport::ImportExperiment(const std::string& folder) {
  const auto meta = ReadMeta(folder);
  if (!meta) return meta.error().WithContext(JoinPath(folder, kMetaFile));
  const bool deleted = ValueOf(*meta, "lifecycle_stage") == "deleted";
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> names, FoldersIn(folder));
  std::vector<std::pair<ImportedRun, std::string>> runs;  // With their folders.
  for (const std::string& name : names) {
    const std::string below = JoinPath(folder, name);
    if (!file_system_.Stat(JoinPath(below, kMetaFile))) {
      SIGHTLINE_RETURN_IF_ERROR(CountFiles(below, "file beside the runs"));
    } else if (deleted) {
      ++report_.left_out["run of a deleted experiment"];
    } else if (auto run = RunIn(below)) {
      run->experiment = ValueOf(*meta, "name");
      runs.emplace_back(*std::move(run), below);
    }
  }
  // As they are in a database; folders are in the order of random ids.
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return a.first.started < b.first.started; });
  for (auto& [run, below] : runs) SIGHTLINE_RETURN_IF_ERROR(WriteRun(below, std::move(run)));
  return {};
}

std::optional<ImportedRun> FolderImport::RunIn(const std::string& folder) {
  const auto meta = ReadMeta(folder);
  if (!meta) {
    ++report_.left_out["run with a damaged meta.yaml"];
    if (report_.notes.size() < kMostNotes) {
      const Status where = meta.error().WithContext(JoinPath(folder, kMetaFile));
      report_.notes.emplace_back(where.message());
    }
    return std::nullopt;
  }
  if (ValueOf(*meta, "lifecycle_stage") == "deleted") {
    ++report_.left_out["deleted run"];
    return std::nullopt;
  }
  ImportedRun run;
  run.id = ValueOf(*meta, "run_id").empty() ? ValueOf(*meta, "run_uuid") : ValueOf(*meta, "run_id");
  run.name = ValueOf(*meta, "run_name");
  run.status = StatusOf(ValueOf(*meta, "status"));
  run.started = ParseNumber<std::int64_t>(ValueOf(*meta, "start_time")).value_or(0);
  run.ended = ParseNumber<std::int64_t>(ValueOf(*meta, "end_time")).value_or(0);
  AddFact("run.user", ValueOf(*meta, "user_id"), run);
  AddFact("run.artifacts", ValueOf(*meta, "artifact_uri"), run);
  return run;
}

Status FolderImport::WriteRun(const std::string& folder, ImportedRun run) {
  const auto read = [this](const auto& add) -> Use {
    return [this, add](const std::string& path, const std::string& name) -> Status {
      SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
      add(name, text);
      return {};
    };
  };
  SIGHTLINE_RETURN_IF_ERROR(
      ForEachFile(folder + "/params", read([&](const std::string& name, const std::string& text) {
                    ++report_.parameters;
                    AddParameter(name, text, run);
                  })));
  SIGHTLINE_RETURN_IF_ERROR(
      ForEachFile(folder + "/tags", read([&](const std::string& name, const std::string& text) {
                    ++report_.tags;
                    AddTag(name, text, run, report_);
                  })));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, folders_.Begin(run));
  SIGHTLINE_RETURN_IF_ERROR(
      ForEachFile(folder + "/metrics", [&](const std::string& path, const std::string& name) {
        return ReadMetric(path, ToUtf8(name), *writer);
      }));
  SIGHTLINE_RETURN_IF_ERROR(CountFiles(folder + "/artifacts", "artifact"));
  SIGHTLINE_RETURN_IF_ERROR(CountFiles(folder + "/inputs", "input"));
  SIGHTLINE_RETURN_IF_ERROR(CountFiles(folder + "/outputs", "output"));
  SIGHTLINE_RETURN_IF_ERROR(writer->End());
  ++report_.runs;
  return {};
}

Status FolderImport::ReadMetric(const std::string& path, std::string_view tag, RunWriter& writer) {
  if (tag.size() > kLongestName) {
    ++report_.unread["metric with a name beyond 1,000 bytes"];
    return {};
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, file_system_.OpenForRead(path));
  std::vector<char> piece(std::size_t{64} << 10U);
  std::string pending;
  std::uint64_t offset = 0;
  for (;;) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, file->ReadAt(offset, piece));
    if (read == 0) break;
    offset += read;
    pending.append(piece.data(), read);
    std::size_t begin = 0;
    const std::string_view lines = pending;
    for (std::size_t end = 0; (end = lines.find('\n', begin)) != lines.npos; begin = end + 1)
      AddLine(lines.substr(begin, end - begin), tag, writer);
    pending.erase(0, begin);
    if (pending.size() > kLongestLine) pending.assign(kLongestLine, 'x');  // No line of a metric.
  }
  if (!pending.empty()) ++report_.unread["metric line without an end"];
  return {};
}

void FolderImport::AddLine(std::string_view line, std::string_view tag, RunWriter& writer) {
  const auto metric = ParseMetricLine(line);
  if (!metric) {
    ++report_.unread["metric line of another form"];
    return;
  }
  ++report_.points;
  writer.AddScalar(tag, metric->step, metric->milliseconds, metric->value);
}

}  // namespace

Result<ImportReport> ImportMlflowFolder(const std::string& path, const std::string& folder,
                                        FileSystem& file_system) {
  FolderImport import(file_system, path, folder);
  if (const Status status = import.Run(); !status.ok()) return Error(status.WithContext(path));
  return import.TakeReport();
}

}  // namespace sightline
