// KeptNotes: what people say about runs - a name, a note, tags, a color, that one is hidden or
// pinned - and the layouts that they saved. Kept in one file in each served directory, beside the
// runs and named by their paths below it, so that it goes where they go:
//
//   <root>/.sightline-notes.json   {"sightline_notes": 1, "runs": {"resnet/7": {"note": "..."}},
//                                   "layouts": {"Losses": "scalars?..."}}
//
// Layouts are in the first root's. The file is replaced in one step, under a lock that other
// servers of the same directory take too. A file that is not of this form is never written over.
//
//   KeptNotes notes(roots, KeptNotes::Access::kWrite);
//   const auto all = notes.Merge({{"runs", {{"resnet/7", {{"note", "best"}}}}}});
//
// Callable from any thread and several processes.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::dashboard {

class KeptNotes {
 public:
  enum class Access : std::uint8_t { kRead, kWrite };

  // `roots`: real paths.
  KeptNotes(std::vector<std::string> roots, Access access)
      : roots_(std::move(roots)), access_(access) {}

  bool writable() const { return access_ == Access::kWrite; }

  // Whether a root has such a file, or may get one.
  bool Any() const;

  // {"writable", "version", "runs", "layouts"}, as docs/http_api.md has it: runs by their ids. What
  // cannot be read is not there.
  nlohmann::json Read() const;

  // Sets what `patch` sets, removes what is null in it (RFC 7386, of "runs" and "layouts"), and
  // answers as Read does. kPermissionDenied where writing was not allowed, kInvalidArgument for
  // what is no such patch or too long, kFailedPrecondition where a file of the name is another's.
  Result<nlohmann::json> Merge(const nlohmann::json& patch);

  // Whether a file changed since this was last asked.
  bool ChangedSinceAsked();

 private:
  Status MergeInto(std::size_t root, const nlohmann::json& runs,
                   const nlohmann::json& layouts) const;
  // "<root's number>:<path>" with several roots, else the path: its root, and the path.
  std::pair<std::size_t, std::string> PlaceOf(const std::string& id) const;

  const std::vector<std::string> roots_;
  const Access access_;
  std::mutex mutex_;  // Of writing, and of what follows.
  std::string seen_;  // Times and sizes of the files when it was last asked.
};

}  // namespace sightline::dashboard
