// The file of notes: what people write about runs (a name, a note, tags, a color, whether a run is
// hidden or pinned), and the layouts of the page that they save. It lies in a served directory and
// names a run by its path below it, as RunId spells it (run_id.h):
//
//   <root>/.sightline-notes.json   {"sightline_notes": 1, "runs": {"resnet/7": {"note": "..."}},
//                                   "layouts": {"Losses": "scalars?..."}}
//
// It is replaced in one step, under a lock that every writer takes. A file that does not have this
// form is never overwritten.
//
// Plain functions; may be called from any thread and from several processes.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/status.h"

namespace sightline {

inline constexpr char kNotesFile[] = ".sightline-notes.json";

// The content of the file of `root`. kNotFound if there is none, kFailedPrecondition if it does not
// have this form.
Result<nlohmann::json> ReadNotes(const std::string& root);

// Lets `change` alter the content, which is that of an empty file if there is none, and writes it.
// kFailedPrecondition if there is a file of this name that does not have this form, kUnavailable if
// another program holds the lock for longer than a second, kInvalidArgument if the content is too
// long then.
Status ChangeNotes(const std::string& root, const std::function<void(nlohmann::json&)>& change);

// kInvalidArgument, with the reason, unless `patch` has valid values for "runs" and "layouts", or
// null where something is to be removed.
Status CheckNotesPatch(const nlohmann::json& patch);

// Sets in `entries`, the runs or the layouts of a file, what `patch` says of the one called `name`;
// null, "", [] and false remove. REQUIRES: CheckNotesPatch.
void SetNotes(nlohmann::json& entries, const std::string& name, const nlohmann::json& patch);

}  // namespace sightline
