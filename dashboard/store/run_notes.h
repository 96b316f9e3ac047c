// RunNotes: the notes that people write about runs and the layouts of the page that they save, in a
// file of each served directory (runs/keeping/notes_file.h). Layouts are in the first root's file.
//
//   RunNotes notes(roots, RunNotes::Access::kWrite);
//   const auto all = notes.Merge({{"runs", {{"resnet/7", {{"note", "best"}}}}}});
//
// May be called from any thread and from several processes.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/file_stamp.h"
#include "sightline/base/status.h"

namespace sightline::dashboard {

class RunNotes {
 public:
  enum class Access : std::uint8_t { kRead, kWrite };

  // `roots`: real paths.
  RunNotes(std::vector<std::string> roots, Access access)
      : roots_(std::move(roots)), access_(access) {}

  bool writable() const { return access_ == Access::kWrite; }

  // Whether a root has such a file, or one may be written.
  bool Any() const;

  // {"writable", "version", "runs", "layouts"} of docs/http_api.md; runs by their ids. Files that
  // cannot be read are left out.
  nlohmann::json Read() const;

  // Sets the values of `patch`, removes what is null in it (RFC 7386, for "runs" and "layouts"),
  // and returns the same as Read. kPermissionDenied if writing is not allowed, kInvalidArgument if
  // `patch` is not valid or too long, kFailedPrecondition if there is a file of this name that does
  // not have this form, kUnavailable if another program holds the lock for longer than a second.
  Result<nlohmann::json> Merge(const nlohmann::json& patch);

  // Whether a file changed since the last call.
  bool ChangedSinceAsked();

 private:
  Status MergeInto(std::size_t root, const nlohmann::json& runs,
                   const nlohmann::json& layouts) const;
  // The root and the path of a run's id.
  std::pair<std::size_t, std::string> PlaceOf(const std::string& id) const;

  const std::vector<std::string> roots_;
  const Access access_;
  std::mutex mutex_;               // For writing, and for the next member.
  std::vector<FileStamp> stamps_;  // Of the files at the last call of ChangedSinceAsked.
};

}  // namespace sightline::dashboard
