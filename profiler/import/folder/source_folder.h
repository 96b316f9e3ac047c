// SourceFolder: a folder of a profiler's files. Each file is read at most once; at the end, those
// that were not read are listed in the profile with the reason.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/profiler/import/ascend_db/database_reader.h"
#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

class SourceFolder {
 public:
  SourceFolder(const ImportTarget& target, std::string path);

  bool Has(const std::string& name) const { return names_.contains(name); }
  const std::set<std::string>& names() const { return names_; }

  // These return whether the file exists and could be read. `untested`: SourceFile::untested.
  bool Lines(const std::string& name, const std::function<void(ByteWindow&)>& read,
             bool untested = false);
  bool Text(const std::string& name, const std::function<Status(std::string_view)>& read,
            bool untested = false);
  // True if at least a part could be read, as with a trace that was cut off.
  bool ChromeTrace(const std::string& name);
  // Reads a trace of Sightline's profiler, with wall times.
  void PerfettoTrace(const std::string& name);

  // These read a database, and name the journals beside it.
  bool Database(const std::string& name, const DatabaseParts& wanted, ParallelGroups& groups);
  bool ClusterDatabase(const std::string& name, ClusterTables& tables);

  // Reads the CSV files that were not read yet and have values over time (counter_csv.h), and says
  // of the others which columns they have. `megabyte`: that of ReadCounterCsv. `in_database`:
  // leaves out the first, too, since a database of the profile gave the same.
  void Counters(double megabyte, bool in_database);

  // The file is not read for this reason.
  void LeaveOut(const std::string& name, std::string reason) { reasons_[name] = std::move(reason); }

  // Adds every file that was not read to the profile's list, except folders and files for which
  // `is_ignored` returns true.
  void ListUnread(const std::function<bool(std::string_view)>& is_ignored);

 private:
  // Whether the file exists. If so, it counts as read from now on.
  bool Take(const std::string& name);
  bool TakeDatabase(const std::string& name);
  void Mark(bool untested) const;

  const ImportTarget& target_;
  std::string path_;
  std::set<std::string> names_;
  std::set<std::string> unread_;
  std::map<std::string, std::string> reasons_;  // Of files that are left out.
};

}  // namespace sightline::profiler
