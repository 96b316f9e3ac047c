#include "sightline/profiler/import/folder/source_folder.h"

#include <utility>

#include "sightline/profiler/import/ascend/counter_csv.h"
#include "sightline/profiler/import/chrome/chrome_reader.h"
#include "sightline/profiler/import/folder/csv_names.h"
#include "sightline/profiler/import/folder/unread_files.h"
#include "sightline/profiler/import/perfetto/perfetto_reader.h"

namespace sightline::profiler {

SourceFolder::SourceFolder(const ImportTarget& target, std::string path)
    : target_(target), path_(std::move(path)) {
  if (auto names = target.file_system.List(path_)) names_.insert(names->begin(), names->end());
  unread_ = names_;
}

bool SourceFolder::Take(const std::string& name) {
  unread_.erase(name);
  return Has(name);
}

void SourceFolder::Mark(bool untested) const { target_.profile.files.back().untested = untested; }

bool SourceFolder::Lines(const std::string& name, const std::function<void(ByteWindow&)>& read,
                         bool untested) {
  if (!Take(name)) return false;
  const Status status = ReadSourceLines(target_, JoinPath(path_, name), read);
  Mark(untested);
  return status.ok();
}

bool SourceFolder::Text(const std::string& name,
                        const std::function<Status(std::string_view)>& read, bool untested) {
  if (!Take(name)) return false;
  const Status status = ReadSourceText(target_, JoinPath(path_, name), read);
  Mark(untested);
  return status.ok();
}

bool SourceFolder::ChromeTrace(const std::string& name) {
  if (!Take(name)) return false;
  const std::uint64_t before = target_.builder.events_modelled();
  const Status status = ReadSource(target_, JoinPath(path_, name), [&](ByteSource& source) {
    return ChromeReader(source, target_.builder).Read();
  });
  return status.ok() || target_.builder.events_modelled() > before;
}

void SourceFolder::PerfettoTrace(const std::string& name) {
  if (!Take(name)) return;
  (void)ReadSource(target_, JoinPath(path_, name), [&](ByteSource& source) {
    return PerfettoReader(source, target_.builder, TraceClock::kWall).Read();
  });
}

bool SourceFolder::TakeDatabase(const std::string& name) {
  if (!Take(name)) return false;
  for (const char* end : {"-wal", "-shm", "-journal"}) unread_.erase(name + end);
  return true;
}

bool SourceFolder::Database(const std::string& name, const DatabaseParts& wanted,
                            ParallelGroups& groups) {
  return TakeDatabase(name) && ReadDatabase(target_, JoinPath(path_, name), wanted, groups).ok();
}

bool SourceFolder::ClusterDatabase(const std::string& name, ClusterTables& tables) {
  return TakeDatabase(name) && ReadClusterDatabase(target_, JoinPath(path_, name), tables).ok();
}

void SourceFolder::Counters(double megabyte, bool in_database) {
  const std::set<std::string> unread = unread_;
  for (const std::string& name : unread) {
    if (!name.ends_with(".csv") || reasons_.contains(name)) continue;
    const auto source = OpenByteSource(target_.file_system, JoinPath(path_, name));
    if (!source) continue;
    ByteWindow window(**source);
    CsvRows header(window);
    if (!header.Next()) continue;
    if (HasTimestamps(header) && in_database) {
      LeaveOut(name, "values over time, which the database has");
    } else if (HasTimestamps(header)) {
      Lines(name, [&](ByteWindow& lines) {
        ReadCounterCsv(lines, TableOfCsv(name), megabyte, target_.builder);
      });
    } else if (WhyUnread(name) == kUnknownFile) {
      LeaveOut(name, "a table without times: " + ColumnsOfCsv(header));
    }
  }
}

void SourceFolder::ListUnread(const std::function<bool(std::string_view)>& is_ignored) {
  for (const std::string& name : unread_) {
    const std::string path = JoinPath(path_, name);
    const auto info = target_.file_system.Stat(path);
    if (!info || info->is_directory || is_ignored(name)) continue;
    SourceFile file;
    file.path = path;
    file.bytes = info->size;
    const auto reason = reasons_.find(name);
    file.unread = reason != reasons_.end() ? reason->second : std::string(WhyUnread(name));
    target_.profile.files.push_back(std::move(file));
  }
}

}  // namespace sightline::profiler
