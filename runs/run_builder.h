// RunBuilder: puts the contents of a directory's files together into a Run: which values count, and
// in which order. Private to this folder. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/runs/event_source.h"
#include "sightline/runs/file_contents.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_restarts.h"

namespace sightline {

class RunBuilder {
 public:
  RunBuilder(FileSystem& file_system, std::string directory, std::string name);

  // The next file in reading order.
  void AddFile(const EventSource& source, FileContents contents);
  // Call once, behind the last file.
  std::shared_ptr<const Run> Finish();

 private:
  // The points of one file for one series.
  struct Part {
    std::size_t file = 0;
    FileSeries* series = nullptr;
  };

  void ResolveFiles();
  void AddAsides();
  void AddSeries(const SeriesKey& key, const std::vector<Part>& parts);
  std::vector<bool> TwinDuplicates(const Part& part, const std::vector<Part>& parts) const;
  void Append(const Part& part, const std::vector<bool>& left_out, SeriesPoints& counting,
              SeriesPoints& superseded) const;
  std::optional<std::int64_t> SupersededFrom(std::size_t file, std::uint64_t segment) const;
  bool Supersedes() const { return !restarts_noted_.empty() || any_file_superseded_; }
  void AddUsualInterval();

  std::shared_ptr<Run> run_;
  std::vector<FileContents> contents_;
  RunRestarts restarts_;
  std::vector<std::size_t> restarts_noted_;  // Files that have STARTs.
  bool any_file_superseded_ = false;
};

// Reads the files of a directory.
std::shared_ptr<const Run> OpenRun(FileSystem& file_system, std::string directory,
                                   std::string name, const std::vector<EventSource>& sources);

// The lineage of messages in the order of their files, and of TensorBoard's hyper-parameters where
// there are no messages.
RunLineage LineageOf(const std::vector<FileContents>& files);

}  // namespace sightline
