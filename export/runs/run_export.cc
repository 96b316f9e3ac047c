#include "sightline/export/runs/run_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

constexpr char kUnreadable[] = "cannot be read from its file";

void NoteProgress(const ExportSelection& selection) {
  if (selection.on_progress) selection.on_progress();
}

Status ExportValues(const Run& run, const Series& series, std::size_t begin, std::size_t end,
                    const ExportSelection& selection, RunWriter& writer) {
  if (writer.TakesLastOnly() && end - begin > 1) {
    writer.LeaveOut(KindNameOf(series.key()),
                    "before the last one of its tag (the formats npz and jsonl have them)",
                    end - begin - 1);
    begin = end - 1;
  }
  for (std::size_t i = begin; i < end; ++i) {
    NoteProgress(selection);
    const auto value = run.Read(series.point(i));
    if (!value) {
      writer.LeaveOut(KindNameOf(series.key()), kUnreadable);
      continue;
    }
    SIGHTLINE_RETURN_IF_ERROR(writer.Value(series.key(), *value));
  }
  return {};
}

// The selected points, from the first to the one after the last.
std::pair<std::size_t, std::size_t> RangeOf(const Series& series,
                                            const ExportSelection& selection) {
  if (selection.tags && !selection.tags(series.key().tag)) return {0, 0};
  const std::size_t begin = series.LowerBound(selection.first_step);
  return {begin, selection.last_step == std::numeric_limits<std::int64_t>::max()
                     ? series.size()
                     : series.LowerBound(selection.last_step + 1)};
}

Status CheckFiles(const Run& run, const ExportSelection& selection, RunWriter& writer) {
  if (selection.most_files == std::numeric_limits<std::uint64_t>::max()) return {};
  for (const auto& series : run.series()) {
    const auto [begin, end] = RangeOf(*series, selection);
    if (begin < end && writer.Takes(series->key().kind))
      writer.CountFiles(writer.FilesOf(series->key(), end - begin));
  }
  if (writer.files() <= selection.most_files) return {};
  return {StatusCode::kResourceExhausted,
          fmt::format("the export has {} files up to run {}, but only {} are allowed; choose tags "
                      "or steps, take another format, or force it",
                      writer.files(), run.name(), selection.most_files)};
}

Status ExportSeries(const Run& run, const Series& series, const ExportSelection& selection,
                    RunWriter& writer) {
  const SeriesKey& key = series.key();
  const auto [begin, end] = RangeOf(series, selection);
  if (begin >= end) return {};
  if (!writer.Takes(key.kind)) {
    writer.LeaveOut(KindNameOf(key), "has no place in this format", end - begin);
    return {};
  }
  if (!series.is_scalar()) return ExportValues(run, series, begin, end, selection, writer);
  NoteProgress(selection);
  return writer.Scalars(series, begin, end);
}

Status ExportEvents(const Run& run, const ExportSelection& selection, RunWriter& writer) {
  for (const auto& [kind, points] : run.events()) {
    if (!writer.Takes(kind)) {
      writer.LeaveOut(EventKindName(kind), "has no place in this format", points.size());
      continue;
    }
    for (const HeavyPoint& point : points) {
      NoteProgress(selection);
      const auto event = run.Read(point);
      if (!event) {
        writer.LeaveOut(EventKindName(kind), kUnreadable);
        continue;
      }
      SIGHTLINE_RETURN_IF_ERROR(writer.Event(kind, *event));
    }
  }
  return {};
}

// The name of the folder itself; for "." that of the working directory.
std::string FolderName(FileSystem& file_system, std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::string name(BaseName(path));
  if (name.empty() || name == "." || name == "..") {
    path = file_system.AbsolutePath(path);
    while (path.size() > 1 && (path.ends_with("/.") || path.back() == '/'))
      path.resize(path.size() - (path.back() == '/' ? 1 : 2));
    name = BaseName(path);
  }
  return name.empty() || name == "." || name == ".." ? "run" : name;
}

}  // namespace

void RunWriter::Wrote(std::string_view kind, std::uint64_t count) {
  report_.written[std::string(kind)] += count;
}

void RunWriter::LeaveOut(std::string_view kind, std::string_view why, std::uint64_t count) {
  report_.left_out[std::string(kind) + ": " + std::string(why)] += count;
}

std::string KindNameOf(const SeriesKey& key) {
  return key.kind == ContentKind::kPlugin ? key.plugin : std::string(ContentKindName(key.kind));
}

Status ExportRun(const Run& run, const ExportSelection& selection, RunWriter& writer) {
  SIGHTLINE_RETURN_IF_ERROR(CheckFiles(run, selection, writer));
  SIGHTLINE_RETURN_IF_ERROR(writer.BeginRun(run));
  SIGHTLINE_RETURN_IF_ERROR(ExportEvents(run, selection, writer));
  std::vector<const Series*> ordered;
  for (const auto& series : run.series()) ordered.push_back(series.get());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Series* a, const Series* b) { return a->key().rank < b->key().rank; });
  for (const Series* series : ordered) {
    SIGHTLINE_RETURN_IF_ERROR(ExportSeries(run, *series, selection, writer));
  }
  return writer.EndRun(run);
}

Result<std::vector<NamedRun>> FindNamedRuns(const std::vector<std::string>& paths,
                                            FileSystem* file_system) {
  std::vector<NamedRun> runs;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto directories, FindRunDirectories(*file_system, path));
    if (directories.empty())
      return Error(StatusCode::kNotFound, path + ": there are no event files in or below it");
    const std::string folder = FolderName(*file_system, path);
    for (const RunDirectory& directory : directories) {
      std::string name = directory.name == "." ? folder : directory.name;
      if (directory.name != "." && paths.size() > 1) name = JoinPath(folder, name);
      const std::string wanted = name;
      for (int number = 2; !taken.insert(name).second; ++number)
        name = wanted + "_" + std::to_string(number);
      runs.push_back({name, directory.path});
    }
  }
  return runs;
}

}  // namespace sightline
