// The notes about a run, when the run moves. A note is in the file of a served directory
// (notes_file.h), which may be any directory above the run, and names the run by its path below it.
//
// Plain functions, callable from any thread. Paths are real ones.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/runs/keeping/trash_record.h"

namespace sightline {

// The notes about the runs at or below `taken`, and about the run at `run`, which are paths below
// `folder`, in the files of `folder` and of all directories above it. Files that cannot be read, or
// that have another form, have none.
std::vector<MovedNote> NotesAbout(const std::string& folder, const std::string& run,
                                  const std::vector<std::string>& taken);

// Takes the notes out of their files.
Status RemoveNotes(const std::string& folder, const std::vector<MovedNote>& notes);
// Puts the notes back. What somebody wrote about the same run in the meantime stays.
Status RestoreNotes(const std::string& folder, const std::vector<MovedNote>& notes);
// Writes the notes about a run that moves from `from` to `to`. Each stays in its file if that is of
// a directory above `to`, too. If not, it comes into that of the nearest directory above `to` that
// has one, or else of the one that holds `to`.
Status WriteNotesOfMoved(const std::string& folder, const std::string& from, const std::string& to,
                         const std::vector<MovedNote>& notes);

}  // namespace sightline
