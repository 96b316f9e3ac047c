#include "sightline/runs/source/run_directories.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "sightline/recorder/journal/journal_format.h"

namespace sightline {
namespace {

// Links that form circles make endless folders; no tree of runs has this many.
constexpr std::size_t kMaxDirectories = 1'000'000;

Result<RunDirectory> Listed(FileSystem& file_system, std::string name, std::string path,
                            const std::vector<std::string>& entries) {
  RunDirectory found{std::move(name), std::move(path), {}, false};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(found.sources, ListEventSources(file_system, found.path, entries));
  found.may_have_journals =
      std::any_of(entries.begin(), entries.end(),
                  [](const std::string& entry) { return entry.starts_with(kJournalPrefix); });
  return found;
}

struct Walk {
  FileSystem& file_system;
  const std::function<void(const std::string&)>& visit;
  std::vector<RunDirectory> found;
  std::size_t directories = 0;

  // Adds the runs in and below `path`.
  Status Visit(const std::string& name, const std::string& path, int depth) {
    if (++directories > kMaxDirectories) {
      return Status(StatusCode::kResourceExhausted,
                    path + ": more than 1,000,000 folders; give a folder closer to the runs");
    }
    if (visit) visit(path);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto entries, file_system.List(path));
    SIGHTLINE_ASSIGN_OR_RETURN(RunDirectory listed, Listed(file_system, name, path, entries));
    std::set<std::string, std::less<>> files;
    for (const EventSource& source : listed.sources) files.emplace(BaseName(source.path));
    if (!listed.sources.empty()) found.push_back(std::move(listed));
    if (depth == kMaxRunDepth) return {};
    for (const std::string& entry : entries) {
      if (files.contains(entry)) continue;
      const std::string inside = JoinPath(path, entry);
      const auto info = file_system.Stat(inside);
      if (!info || !info->is_directory) continue;
      Status visited = Visit(name == "." ? entry : JoinPath(name, entry), inside, depth + 1);
      // The folder is somebody else's, or was just removed.
      const bool may_pass = visited.code() == StatusCode::kPermissionDenied ||
                            visited.code() == StatusCode::kNotFound;
      if (!visited.ok() && !may_pass) return visited;
    }
    return {};
  }
};

}  // namespace

Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto entries, file_system.List(path));
  return Listed(file_system, std::move(name), std::move(path), entries);
}

Result<std::vector<RunDirectory>> FindRunDirectories(
    FileSystem& file_system, const std::string& directory,
    const std::function<void(const std::string&)>& visit) {
  Walk walk{file_system, visit, {}, 0};
  SIGHTLINE_UNEXPECTED_IF_ERROR(walk.Visit(".", directory, 0));
  std::sort(walk.found.begin(), walk.found.end(),
            [](const RunDirectory& a, const RunDirectory& b) { return a.name < b.name; });
  return std::move(walk.found);
}

Result<std::vector<EventSource>> EventSourcesAt(FileSystem& file_system, const std::string& path) {
  std::vector<EventSource> sources;
  if (const auto info = file_system.Stat(path); info && info->is_directory) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto directories, FindRunDirectories(file_system, path));
    for (RunDirectory& directory : directories) {
      std::move(directory.sources.begin(), directory.sources.end(), std::back_inserter(sources));
    }
    if (sources.empty())
      return Error(StatusCode::kNotFound, path + ": there are no event files in or below it");
    return sources;
  }
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(EventSource source, FindEventSource(file_system, path));
  sources.push_back(std::move(source));
  return sources;
}

}  // namespace sightline
