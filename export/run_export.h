// Exports of runs: what is selected of a run, value by value, to a writer of one format.
//
//   CsvRunWriter writer(...);
//   for (const NamedRun& named : *FindNamedRuns(fs, {"output"})) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto run, Run::Open(fs, named.directory, named.name));
//     SIGHTLINE_RETURN_IF_ERROR(ExportRun(*run, selection, writer));
//   }
//   SIGHTLINE_RETURN_IF_ERROR(writer.Finish());
//
// In memory are the scalars of one run, and one value of any other kind. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/run.h"

namespace sightline {

// What is exported of each run. Graphs and lineage stand for the whole run: tags and steps do not
// select them.
struct ExportSelection {
  std::function<bool(std::string_view tag)> tags;  // Empty: all.
  std::int64_t first_step = std::numeric_limits<std::int64_t>::min();
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // Included.
  // Asked now and then; true ends the export with kUnavailable. Empty: never.
  std::function<bool()> cancelled;
};

// What came of it: numbers of values and events, by kind as people know it ("scalar", "graph", the
// name of a TensorBoard plugin).
struct ExportReport {
  std::map<std::string, std::uint64_t> written;
  std::map<std::string, std::uint64_t> left_out;  // "image: not a PNG"
};

// A format. Runs come one after the other; of a run first its events, then its series, those of the
// lowest rank first.
class RunWriter {
 public:
  virtual ~RunWriter() = default;

  virtual Status BeginRun(const Run& run) = 0;
  // Points [begin, end) of a series of scalars; never none.
  virtual Status Scalars(const Series& series, std::size_t begin, std::size_t end) = 0;
  // Whether values of this kind are of use; those of others are not even read.
  virtual bool Takes(ContentKind kind) const = 0;
  virtual bool Takes(EventKind kind) const = 0;
  // Whether the last value of a series is all that is of use (of those that are no scalars).
  virtual bool TakesLastOnly() const { return false; }
  // One value of another kind, of a series or an event. A value that cannot be expressed is left
  // out and reported (LeaveOut); errors are those of the output.
  virtual Status Value(const SeriesKey& key, const StoredValue& value) = 0;
  virtual Status Event(EventKind kind, const StoredValue& event) = 0;
  virtual Status EndRun(const Run& run) = 0;
  // Behind the last run.
  virtual Status Finish() = 0;

  const ExportReport& report() const { return report_; }
  void Wrote(std::string_view kind, std::uint64_t count = 1);
  void LeaveOut(std::string_view kind, std::string_view why, std::uint64_t count = 1);

 private:
  ExportReport report_;
};

// "scalar", "histogram", ..., the plugin's name for values of TensorBoard's plugins.
std::string KindNameOf(const SeriesKey& key);

// Values that cannot be read any more are left out. Errors: the writer's; kUnavailable when it was
// cancelled.
Status ExportRun(const Run& run, const ExportSelection& selection, RunWriter& writer);

struct NamedRun {
  std::string name;  // Unique; a relative path, of at least one part.
  std::string directory;
};

// The runs in and below `paths`. A path that is a run itself is called as its folder is; runs below
// it as their paths below it, with the folder's name in front where there are several paths.
// kNotFound for a path without runs.
Result<std::vector<NamedRun>> FindNamedRuns(FileSystem& file_system,
                                            const std::vector<std::string>& paths);

}  // namespace sightline
