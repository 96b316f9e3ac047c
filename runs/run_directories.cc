#include "sightline/runs/run_directories.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/recorder/journal/journal_format.h"
#include "sightline/runs/parallel.h"

namespace sightline {
namespace {

// Links that lead round in circles make folders without end; no tree of runs has as many.
constexpr std::size_t kMaxDirectories = 1'000'000;
// Fewer folders are looked at before a second thread has begun.
constexpr std::size_t kWorthThreads = 256;

Result<RunDirectory> Listed(FileSystem& file_system, std::string name, std::string path,
                            const std::vector<std::string>& entries) {
  RunDirectory found{std::move(name), std::move(path), {}, false};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(found.sources, ListEventSources(file_system, found.path, entries));
  found.may_have_journals =
      std::any_of(entries.begin(), entries.end(),
                  [](const std::string& entry) { return entry.starts_with(kJournalPrefix); });
  return found;
}

// A path below the root, which may be a folder.
struct Candidate {
  std::string name;
  std::string path;
};

// What lies in one.
struct Content {
  Status status;
  RunDirectory run;                // Without sources where it is none.
  std::vector<Candidate> entries;  // But its event files.
};

Content Look(FileSystem& file_system, const Candidate& folder) {
  Content content;
  const auto entries = file_system.List(folder.path);
  if (!entries) {
    content.status = entries.error();
    return content;
  }
  auto listed = Listed(file_system, folder.name, folder.path, *entries);
  if (!listed) {
    content.status = listed.error();
    return content;
  }
  content.run = *std::move(listed);
  std::set<std::string_view> files;
  for (const EventSource& source : content.run.sources) files.insert(BaseName(source.path));
  for (const std::string& entry : *entries) {
    if (files.contains(entry)) continue;
    content.entries.push_back(
        {folder.name == "." ? entry : JoinPath(folder.name, entry), JoinPath(folder.path, entry)});
  }
  return content;
}

// Somebody else's folder, or one that was just removed.
bool MayPass(const Status& status) {
  return status.code() == StatusCode::kPermissionDenied || status.code() == StatusCode::kNotFound;
}

}  // namespace

Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto entries, file_system.List(path));
  return Listed(file_system, std::move(name), std::move(path), entries);
}

// Level by level: the folders of one are independent of each other.
Result<std::vector<RunDirectory>> FindRunDirectories(
    FileSystem& file_system, const std::string& directory,
    const std::function<void(const std::string&)>& visit, unsigned threads) {
  std::vector<RunDirectory> found;
  std::vector<Candidate> level = {{".", directory}};
  std::atomic<std::size_t> directories = 0;
  for (int depth = 0; depth <= kMaxRunDepth && !level.empty(); ++depth) {
    std::vector<Content> contents(level.size());
    const bool alone = visit || level.size() < kWorthThreads;
    ForEachInParallel(level.size(), alone ? 1 : threads, [&](std::size_t i) {
      if (depth > 0) {
        const auto info = file_system.Stat(level[i].path);
        if (!info || !info->is_directory) return;
      }
      if (++directories > kMaxDirectories) return;
      if (visit) visit(level[i].path);
      contents[i] = Look(file_system, level[i]);
    });
    if (directories > kMaxDirectories) {
      return Error(StatusCode::kResourceExhausted,
                   directory + ": more than 1,000,000 folders; give one nearer to the runs");
    }
    level.clear();
    for (Content& content : contents) {
      if (!content.status.ok() && (depth == 0 || !MayPass(content.status)))
        return tl::unexpected(content.status);
      if (!content.run.sources.empty()) found.push_back(std::move(content.run));
      std::move(content.entries.begin(), content.entries.end(), std::back_inserter(level));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const RunDirectory& a, const RunDirectory& b) { return a.name < b.name; });
  return found;
}

}  // namespace sightline
