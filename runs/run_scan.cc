#include "sightline/runs/run_scan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>

#include "sightline/recorder/reading/session_search.h"
#include "sightline/runs/run_restarts.h"

namespace sightline {
namespace {

// Links that lead round in circles make folders without end; no tree of runs has as many.
constexpr std::size_t kMaxDirectories = 1'000'000;

// REQUIRES: values that count were not added to `tag` yet.
void AddSteps(std::int64_t first, std::int64_t last, TagSummary& tag) {
  tag.first_step = tag.count() == 0 ? first : std::min(tag.first_step, first);
  tag.last_step = tag.count() == 0 ? last : std::max(tag.last_step, last);
}

// Tags of a run while it is read.
class TagTable {
 public:
  void Add(EventFileKind file_kind, std::int64_t step, bool superseded, const ValueView& value) {
    const bool in_tensorboard = file_kind == EventFileKind::kTensorBoard;
    const bool plugin = value.kind == ContentKind::kPlugin;
    key_.assign(1, static_cast<char>(value.kind));
    if (plugin) key_.append(value.plugin);
    key_ += '\0';
    key_.append(value.tag);
    auto [found, is_new] = tags_.try_emplace(key_);
    TagSummary& tag = found->second;
    if (is_new) {
      tag.tag = value.tag;
      tag.kind = value.kind;
      if (plugin) tag.plugin = value.plugin;
    }
    if (superseded) {
      ++(in_tensorboard ? tag.superseded_in_tensorboard : tag.superseded_in_mindspore);
      return;
    }
    AddSteps(step, step, tag);
    ++(in_tensorboard ? tag.in_tensorboard : tag.in_mindspore);
  }

  void AddTo(std::vector<TagSummary>& tags) {
    for (auto& [key, tag] : tags_) tags.push_back(std::move(tag));
    tags_.clear();
  }

 private:
  std::unordered_map<std::string, TagSummary> tags_;
  std::string key_;
};

// Adds up entries of the same tag and kind, and sorts.
void Merge(std::vector<TagSummary>& tags) {
  const auto key = [](const TagSummary& tag) { return std::tie(tag.kind, tag.plugin, tag.tag); };
  std::sort(tags.begin(), tags.end(),
            [&](const TagSummary& a, const TagSummary& b) { return key(a) < key(b); });
  std::vector<TagSummary> merged;
  for (TagSummary& tag : tags) {
    if (merged.empty() || key(merged.back()) != key(tag)) {
      merged.push_back(std::move(tag));
      continue;
    }
    TagSummary& same = merged.back();
    if (tag.count() != 0) AddSteps(tag.first_step, tag.last_step, same);
    same.in_mindspore += tag.in_mindspore;
    same.in_tensorboard += tag.in_tensorboard;
    same.superseded_in_mindspore += tag.superseded_in_mindspore;
    same.superseded_in_tensorboard += tag.superseded_in_tensorboard;
  }
  tags = std::move(merged);
}

// Reads the files of a run, each once.
class RunReading {
 public:
  // `restarts` that finished noting are applied, others note.
  RunReading(FileSystem& file_system, RunRestarts& restarts, RunSummary& run)
      : file_system_(file_system), restarts_(restarts), run_(run) {}

  // The next one; its values of the step `superseded_from` and later ones do not count.
  FileSummary Read(const EventSource& source, std::optional<std::int64_t> superseded_from);

 private:
  void AddEvent(EventFileKind kind, const EventView& event, const FileSummary& file);

  FileSystem& file_system_;
  RunRestarts& restarts_;
  RunSummary& run_;
  TagTable tags_;
  std::size_t number_ = 0;  // Of the file, from 1.
};

void RunReading::AddEvent(EventFileKind kind, const EventView& event, const FileSummary& file) {
  ++run_.events[event.kind];
  if (std::isfinite(event.wall_time)) {
    run_.first_wall_time =
        std::min(run_.first_wall_time.value_or(event.wall_time), event.wall_time);
    run_.last_wall_time = std::max(run_.last_wall_time.value_or(event.wall_time), event.wall_time);
  }
  bool superseded = file.superseded_from && event.step >= *file.superseded_from;
  if (kind == EventFileKind::kTensorBoard) {
    const RunRestarts::Place place{number_, event.offset, file.session.has_value()};
    if (IsSessionStart(event)) restarts_.NoteStart(place, event.step);
    if (!event.values.empty() && !superseded) restarts_.NoteValue(place, event.step);
    const auto from = restarts_.SupersededFrom(place);
    superseded = superseded || (from && event.step >= *from);
  }
  for (const ValueView& value : event.values) tags_.Add(kind, event.step, superseded, value);
}

FileSummary RunReading::Read(const EventSource& source,
                             std::optional<std::int64_t> superseded_from) {
  ++number_;
  FileSummary file;
  file.path = source.path;
  file.superseded_from = superseded_from;
  if (source.kind) file.kind = *source.kind;
  if (source.tail) file.journal_records = source.tail->payloads.size();
  auto reader = OpenEventSource(file_system_, source);
  if (!reader) {
    file.status = reader.error();
    return file;
  }
  ReadOutcome outcome = ReadOutcome::kEnd;
  while ((outcome = (*reader)->Next()) == ReadOutcome::kRecord) {
    const EventView& event = (*reader)->event();
    AddEvent((*reader)->kind(), event, file);
    if (!event.session.empty() && !file.session) {
      if (auto session = DecodeSession(event.session)) file.session = *std::move(session);
    }
  }
  if (outcome == ReadOutcome::kError) file.status = (*reader)->status();
  file.kind = (*reader)->kind();
  file.bytes = (*reader)->position();
  file.records = (*reader)->records();
  file.damage = (*reader)->skipped();
  tags_.AddTo(run_.tags);
  Merge(run_.tags);
  return file;
}

RunSessions SessionsOf(FileSystem& file_system, const std::vector<EventSource>& sources) {
  std::vector<std::optional<Session>> files;
  for (const EventSource& source : sources) {
    const auto reader = OpenEventSource(file_system, source);
    files.push_back(reader ? ReadSession(**reader) : std::nullopt);
  }
  return ResolveSessions(files);
}

RunSummary ReadRun(FileSystem& file_system, const RunDirectory& found, const RunSessions& sessions,
                   RunRestarts& restarts) {
  RunSummary run;
  run.name = found.name;
  run.directory = found.path;
  run.sessions = sessions.sessions;
  RunReading reading(file_system, restarts, run);
  for (std::size_t i = 0; i < found.sources.size(); ++i)
    run.files.push_back(reading.Read(found.sources[i], sessions.superseded_from[i]));
  for (const TagSummary& tag : run.tags) run.superseded_values += tag.superseded();
  std::erase_if(run.tags, [](const TagSummary& tag) { return tag.count() == 0; });
  return run;
}

struct Walk {
  FileSystem& file_system;
  std::vector<RunDirectory> found;
  std::size_t directories = 0;

  // What is in `path`, and below it.
  Status Visit(const std::string& name, const std::string& path, int depth) {
    if (++directories > kMaxDirectories) {
      return Status(StatusCode::kResourceExhausted,
                    path + ": more than 1,000,000 folders; give one nearer to the runs");
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const auto entries, file_system.List(path));
    SIGHTLINE_ASSIGN_OR_RETURN(auto sources, ListEventSources(file_system, path, entries));
    std::set<std::string, std::less<>> files;
    for (const EventSource& source : sources) files.emplace(BaseName(source.path));
    if (!sources.empty()) found.push_back({name, path, std::move(sources)});
    if (depth == kMaxScanDepth) return {};
    for (const std::string& entry : entries) {
      if (files.contains(entry)) continue;
      const std::string inside = JoinPath(path, entry);
      const auto info = file_system.Stat(inside);
      if (!info || !info->is_directory) continue;
      Status visited = Visit(name == "." ? entry : JoinPath(name, entry), inside, depth + 1);
      // Somebody else's folder, or one that was just removed.
      const bool may_pass = visited.code() == StatusCode::kPermissionDenied ||
                            visited.code() == StatusCode::kNotFound;
      if (!visited.ok() && !may_pass) return visited;
    }
    return {};
  }
};

}  // namespace

FileSummary ScanFile(FileSystem& file_system, const EventSource& source, RunSummary& run) {
  RunRestarts restarts;
  return RunReading(file_system, restarts, run).Read(source, std::nullopt);
}

Result<std::vector<RunDirectory>> FindRunDirectories(FileSystem& file_system,
                                                     const std::string& directory) {
  Walk walk{file_system, {}, 0};
  SIGHTLINE_UNEXPECTED_IF_ERROR(walk.Visit(".", directory, 0));
  std::sort(walk.found.begin(), walk.found.end(),
            [](const RunDirectory& a, const RunDirectory& b) { return a.name < b.name; });
  return std::move(walk.found);
}

Result<std::vector<RunSummary>> ScanRuns(FileSystem& file_system, const std::string& directory) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories,
                                 FindRunDirectories(file_system, directory));
  std::vector<RunSummary> runs;
  for (const RunDirectory& found : directories) {
    const RunSessions sessions = SessionsOf(file_system, found.sources);
    RunRestarts restarts;
    RunSummary run = ReadRun(file_system, found, sessions, restarts);
    if (restarts.concern_values()) {
      restarts.FinishNoting();
      run = ReadRun(file_system, found, sessions, restarts);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace sightline
