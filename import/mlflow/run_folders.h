// RunFolders: writes the runs of an import as folders of event files, by our Recorder.
//
//   RunFolders folders("imported");
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, folders.Begin(run));
//   writer->AddScalar("loss", 1, 1764500000000, 0.5);
//   SIGHTLINE_RETURN_IF_ERROR(writer->End());
//
// A run is in "<experiment>/<name of the run>". If an earlier run has that folder, a number
// follows:
// "-2". One thread. Private to this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sightline/base/status.h"
#include "sightline/import/mlflow/imported_run.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

// One run: its lineage is at its beginning, and how it ended at its end.
class RunWriter {
 public:
  static Result<std::unique_ptr<RunWriter>> Open(const std::string& directory,
                                                 const ImportedRun& run);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // A float64. `tag` is UTF-8. `milliseconds`: since the Unix epoch. An error comes from End.
  void AddScalar(std::string_view tag, std::int64_t step, std::int64_t milliseconds, double value);
  // Closes the files. Without this call, the run is not complete.
  Status End();

 private:
  // The time of a run that begins.
  class BegunClock;

  RunWriter() = default;

  std::unique_ptr<BegunClock> clock_;
  std::unique_ptr<Recorder> recorder_;
  std::string status_;
  std::int64_t ended_ = 0;
};

class RunFolders {
 public:
  explicit RunFolders(std::string folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<RunWriter>> Begin(const ImportedRun& run);

 private:
  std::string folder_;
  std::set<std::string> used_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  // The last one of a name.
};

// A text as the name of a folder: without '/', control characters and a dot in front; at most 100
// bytes of UTF-8; "unnamed" if it is empty.
std::string FolderName(std::string_view text);

}  // namespace sightline
