// Exports runs: gives the selected values of a run, one by one, to the writer of a format.
//
//   const auto writer = MakeCsvWriter(std::move(file));  // run_writers.h
//   for (const NamedRun& named : *FindNamedRuns({"output"})) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto run, Run::Open(named.directory, {.name = named.name}));
//     SIGHTLINE_RETURN_IF_ERROR(ExportRun(*run, {}, *writer));
//   }
//   SIGHTLINE_RETURN_IF_ERROR(writer->Finish());
//
// It holds the scalars of one run and one value of another kind in memory. One thread.
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
#include "sightline/runs/model/run.h"

namespace sightline {

// What is exported of each run. Graphs and lineage belong to the whole run: tags and steps do not
// select them.
struct ExportSelection {
  std::function<bool(std::string_view tag)> tags;  // Empty: all.
  std::int64_t first_step = std::numeric_limits<std::int64_t>::min();
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // Included.
  std::function<void()> on_progress;  // Called before each value, if it is not empty.
  // Of the whole export: kResourceExhausted if it would have more, before a run is written.
  std::uint64_t most_files = std::numeric_limits<std::uint64_t>::max();
};

// The numbers of exported values and events of each kind ("scalar", "graph", the name of
// a TensorBoard plugin).
struct ExportReport {
  std::map<std::string, std::uint64_t> written;
  std::map<std::string, std::uint64_t> left_out;  // "image: not a PNG"
};

// Writes a format. Runs come one after the other; for each run its events come first, then its
// series, those of the lowest rank first.
class RunWriter {
 public:
  virtual ~RunWriter() = default;

  virtual Status BeginRun(const Run& run) = 0;
  // The points [begin, end) of a series of scalars; at least one.
  virtual Status Scalars(const Series& series, std::size_t begin, std::size_t end) = 0;
  // Whether the format takes values of this kind; others are not read.
  virtual bool Takes(ContentKind kind) const = 0;
  virtual bool Takes(EventKind kind) const = 0;
  // Whether it takes only the last value of a series. Does not concern scalars.
  virtual bool TakesLastOnly() const { return false; }
  // How many files so many points of a series become; 0 if the format is one file.
  virtual std::uint64_t FilesOf(const SeriesKey& /*key*/, std::uint64_t /*points*/) const {
    return 0;
  }
  // Writes one value of another kind, or an event. LeaveOut reports a value that the format cannot
  // express. Errors: those of the output.
  virtual Status Value(const SeriesKey& key, const StoredValue& value) = 0;
  virtual Status Event(EventKind kind, const StoredValue& event) = 0;
  virtual Status EndRun(const Run& run) = 0;
  // After the last run.
  virtual Status Finish() = 0;

  const ExportReport& report() const { return report_; }
  void Wrote(std::string_view kind, std::uint64_t count = 1);
  void LeaveOut(std::string_view kind, std::string_view why, std::uint64_t count = 1);
  // The files that the runs so far become, as ExportRun counted them.
  std::uint64_t files() const { return files_; }
  void CountFiles(std::uint64_t count) { files_ += count; }

 private:
  std::uint64_t files_ = 0;
  ExportReport report_;
};

// "scalar", "histogram", ...; for values of a TensorBoard plugin, the plugin's name.
std::string KindNameOf(const SeriesKey& key);

// Values that can no longer be read are left out. Errors: those of the writer.
Status ExportRun(const Run& run, const ExportSelection& selection, RunWriter& writer);

struct NamedRun {
  std::string name;  // Unique; a relative path, of at least one part.
  std::string directory;
};

// The runs in and below `paths`. If a path is a run itself, it has the name of its folder. Runs
// below it are named by their path from there; if there are several paths, the folder's name is put
// in front. kNotFound for a path without runs.
Result<std::vector<NamedRun>> FindNamedRuns(const std::vector<std::string>& paths,
                                            FileSystem* file_system = &FileSystem::Local());

}  // namespace sightline
