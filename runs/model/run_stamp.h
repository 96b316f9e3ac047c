// RunStamp: the stamps of a run's files and journals, to find out whether the run changed.
//
// A plain value and a plain function, callable from any thread. Private to runs/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/file_stamp.h"
#include "sightline/base/file_system.h"
#include "sightline/runs/source/stamped_source.h"

namespace sightline {

struct RunStamp {
  struct File : FileStamp {
    std::string path;
    std::uint64_t journal_from = 0;     // Where the journal's records begin,
    std::uint64_t journal_records = 0;  // and how many there are.
    bool operator==(const File&) const = default;
  };
  std::vector<File> files;
  bool journal = false;
  bool journal_held = false;
  std::vector<std::string> killed_sessions;  // Those that are marked (killed_mark.h).
  std::vector<std::string> fact_sessions;    // RunDirectory::fact_sessions.

  bool operator==(const RunStamp&) const = default;
};

// The stamp of the run in `directory`. `sources` must be what ListStampedSources just returned for
// it. If `may_have_journals` is false, the directory is not searched for journals.
RunStamp StampOfRun(FileSystem& file_system, const std::string& directory,
                    const std::vector<StampedSource>& sources, bool may_have_journals = true);

}  // namespace sightline
