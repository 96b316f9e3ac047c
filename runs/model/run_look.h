// RunLook: what a run's directory looks like from outside, to find out whether it changed.
//
// A plain value and a plain function, callable from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/file_look.h"

namespace sightline {

struct RunLook {
  struct File : FileLook {
    std::string path;
    std::uint64_t journal_from = 0;     // Where the journal's records begin,
    std::uint64_t journal_records = 0;  // and how many there are.
    bool operator==(const File&) const = default;
  };
  std::vector<File> files;
  bool journal = false;
  bool journal_held = false;

  bool operator==(const RunLook&) const = default;
};

// The look of `directory`. `sources` must be what ListEventSources just returned for it. If
// `may_have_journals` is false, the directory is not listed for journals.
RunLook LookAt(FileSystem& file_system, const std::string& directory,
               const std::vector<EventSource>& sources, bool may_have_journals = true);

}  // namespace sightline
