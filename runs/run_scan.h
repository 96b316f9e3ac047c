// ScanRuns: which runs lie below a directory, and what is in them. Reads every event once; writes
// nothing.
//
// A run is a directory that holds event files, of either dialect or of both; its name is its path
// below the scanned directory ("." for itself), as MindInsight and TensorBoard have it.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, ScanRuns(FileSystem::Local(),
//   "output"));
//
// Plain functions, callable from any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/runs/event_source.h"
#include "sightline/runs/run_sessions.h"

namespace sightline {

struct FileSummary {
  std::string path;
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t bytes = 0;            // Of the file, and of the journal's records behind it.
  std::uint64_t records = 0;          // Sound ones.
  std::uint64_t journal_records = 0;  // How many of them are still in a journal.
  std::vector<SkippedRegion> damage;
  std::optional<Session> session;  // Of files that Sightline wrote.
  // Values of this step and later ones do not count (run_sessions.h).
  std::optional<std::int64_t> superseded_from;
  Status status;  // Why reading ended before the file did.
};

struct TagSummary {
  std::string tag;
  ContentKind kind = ContentKind::kUnknown;
  std::string plugin;  // Of TensorBoard's kPlugin.
  // Values. A run that is recorded in both dialects holds each value twice.
  std::uint64_t in_mindspore = 0;
  std::uint64_t in_tensorboard = 0;
  std::int64_t first_step = 0;  // The smallest and the largest.
  std::int64_t last_step = 0;
  // Values that do not count, since a later session recorded their steps anew, or TensorBoard drops
  // them (run_restarts.h); not in the above.
  std::uint64_t superseded_in_mindspore = 0;
  std::uint64_t superseded_in_tensorboard = 0;

  std::uint64_t count() const { return std::max(in_mindspore, in_tensorboard); }
  std::uint64_t superseded() const {
    return std::max(superseded_in_mindspore, superseded_in_tensorboard);
  }
};

struct RunSummary {
  std::string name;
  std::string directory;
  std::vector<FileSummary> files;             // In reading order.
  std::vector<RunSession> sessions;           // Those that the files name.
  std::vector<TagSummary> tags;               // By kind, then by tag; those that have values.
  std::uint64_t superseded_values = 0;        // Of all tags, see TagSummary::superseded.
  std::map<EventKind, std::uint64_t> events;  // Every event, by kind.
  std::optional<double> first_wall_time;      // The earliest and the latest; no event, no time.
  std::optional<double> last_wall_time;
};

// Reads one file: what is said about it, and its tags, events and times added to `run`. Every value
// counts.
FileSummary ScanFile(FileSystem& file_system, const EventSource& source, RunSummary& run);

// Runs sorted by name. Directories are followed kMaxScanDepth deep (a link may lead round in a
// circle); those that cannot be listed are left out, except `directory` itself. A file that cannot
// be read has a status.
Result<std::vector<RunSummary>> ScanRuns(FileSystem& file_system, const std::string& directory);
inline constexpr int kMaxScanDepth = 12;

// The directories of ScanRuns alone: `directory` and those below it that hold event files.
struct RunDirectory {
  std::string name;
  std::string path;
  std::vector<EventSource> sources;
};
Result<std::vector<RunDirectory>> FindRunDirectories(FileSystem& file_system,
                                                     const std::string& directory);

}  // namespace sightline
