#include "sightline/runs/source/run_directories.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/writing/killed_mark.h"
#include "sightline/runs/source/foreign_file.h"
#include "sightline/runs/source/run_finder.h"

namespace sightline {
namespace {

std::vector<std::string> FactSessions(const std::vector<std::string>& entries) {
  constexpr std::string_view kPrefix = kRunFactsPrefix;
  constexpr std::string_view kSuffix = kRunFactsSuffix;
  std::vector<std::string> sessions;
  for (const std::string_view entry : entries) {
    if (entry.size() > kPrefix.size() + kSuffix.size() && entry.starts_with(kPrefix) &&
        entry.ends_with(kSuffix)) {
      const std::size_t size = entry.size() - kPrefix.size() - kSuffix.size();
      sessions.emplace_back(entry.substr(kPrefix.size(), size));
    }
  }
  std::sort(sessions.begin(), sessions.end());
  return sessions;
}

}  // namespace

Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto entries, file_system.List(path));
  return ListRunDirectory(file_system, std::move(name), std::move(path), entries);
}

Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path,
                                      const std::vector<std::string>& entries) {
  RunDirectory listed{std::move(name), std::move(path),         {},
                      false,           KilledSessions(entries), FactSessions(entries)};
  SIGHTLINE_ASSIGN_OR_RETURN(listed.sources, ListStampedSources(file_system, listed.path, entries));
  listed.may_have_journals =
      std::any_of(entries.begin(), entries.end(),
                  [](const std::string& entry) { return entry.starts_with(kJournalPrefix); });
  return listed;
}

Result<std::vector<RunDirectory>> FindRunDirectories(FileSystem& file_system,
                                                     const std::string& directory,
                                                     std::vector<std::string>* notes) {
  RunFinder::News news = RunFinder(file_system, {directory}).Find();
  if (!news.status.ok()) return Error(news.status);
  std::vector<RunDirectory> found;
  for (RunFinder::Found& run : news.listed) {
    DropForeignFiles(file_system, run.directory.sources, notes);
    if (!run.directory.sources.empty()) found.push_back(std::move(run.directory));
  }
  return found;
}

Result<std::vector<EventSource>> EventSourcesAt(FileSystem& file_system, const std::string& path,
                                                std::vector<std::string>* notes) {
  std::vector<EventSource> sources;
  if (const auto info = file_system.Stat(path); info && info->is_directory) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto directories, FindRunDirectories(file_system, path, notes));
    for (RunDirectory& directory : directories) {
      std::move(directory.sources.begin(), directory.sources.end(), std::back_inserter(sources));
    }
    if (sources.empty())
      return Error(StatusCode::kNotFound, path + ": there are no event files in or below it");
    return sources;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(EventSource source, FindEventSource(path, &file_system));
  sources.push_back(std::move(source));
  return sources;
}

}  // namespace sightline
