#include "sightline/runs/keeping/moved_notes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/notes_file.h"
#include "sightline/runs/keeping/run_id.h"

namespace sightline {
namespace {

using nlohmann::json;

std::string FolderAbove(std::string folder, std::size_t up) {
  for (; up > 0 && folder != "/"; --up) {
    const std::size_t slash = folder.rfind('/');
    folder.resize(slash == 0 ? 1 : slash);
  }
  return folder;
}

// What `entries` has for the run stays; fields that it lacks are added.
void AddFields(json& entries, const std::string& run, const json& entry) {
  json& held = entries.emplace(run, json::object()).first.value();
  if (!held.is_object()) held = json::object();
  for (const auto& [field, value] : entry.items()) held.emplace(field, value);
}

// The file in which notes about a run at `to` belong whose file is not above it.
std::string NotesFolderOf(const std::string& to) {
  std::string holder = FolderAbove(to, 1);
  for (std::string folder = holder;; folder = FolderAbove(folder, 1)) {
    if (ReadNotes(folder)) return folder;
    if (folder == "/") return holder;
  }
}

using NotesByRun = std::vector<std::pair<std::string, json>>;

Status ChangeEach(const std::map<std::string, NotesByRun>& files,
                  const std::function<void(json&, const std::string&, const json&)>& change) {
  for (const auto& [root, notes] : files) {
    SIGHTLINE_RETURN_IF_ERROR(ChangeNotes(root, [&, &notes = notes](json& all) {
      for (const auto& [run, entry] : notes) change(all["runs"], run, entry);
    }));
  }
  return {};
}

std::map<std::string, NotesByRun> ByFile(const std::string& folder,
                                         const std::vector<MovedNote>& notes) {
  std::map<std::string, NotesByRun> files;
  for (const MovedNote& note : notes)
    files[FolderAbove(folder, note.up)].emplace_back(note.run, note.entry);
  return files;
}

}  // namespace

std::vector<MovedNote> NotesAbout(const std::string& folder, const std::string& run,
                                  const std::vector<std::string>& taken) {
  std::vector<MovedNote> notes;
  std::string root = folder;
  for (std::size_t up = 0;; ++up, root = FolderAbove(root, 1)) {
    const auto held = ReadNotes(root);
    const json runs = held ? held->at("runs") : json::object();
    for (const auto& [id, entry] : runs.items()) {
      const std::string path = PathBelow(root, BytesOfRunId(id));
      const bool goes = path == PathBelow(folder, run) ||
                        std::any_of(taken.begin(), taken.end(), [&](const std::string& one) {
                          return IsAtOrBelow(path, PathBelow(folder, one));
                        });
      if (goes) notes.push_back({up, id, entry});
    }
    if (root == "/") return notes;
  }
}

Status RemoveNotes(const std::string& folder, const std::vector<MovedNote>& notes) {
  return ChangeEach(ByFile(folder, notes), [](json& runs, const std::string& run,
                                              const json& /*entry*/) { runs.erase(run); });
}

Status RestoreNotes(const std::string& folder, const std::vector<MovedNote>& notes) {
  return ChangeEach(ByFile(folder, notes), AddFields);
}

Status WriteNotesOfMoved(const std::string& folder, const std::string& from, const std::string& to,
                         const std::vector<MovedNote>& notes) {
  std::map<std::string, NotesByRun> files;
  for (const MovedNote& note : notes) {
    const std::string old_root = FolderAbove(folder, note.up);
    const std::string old_path = PathBelow(old_root, BytesOfRunId(note.run));
    const std::string new_path = to + old_path.substr(std::min(old_path.size(), from.size()));
    const bool stays = IsAtOrBelow(FolderAbove(to, 1), old_root);
    const std::string root = stays ? old_root : NotesFolderOf(to);
    files[root].emplace_back(RunId(PathFrom(root, new_path)), note.entry);
  }
  return ChangeEach(files, AddFields);
}

}  // namespace sightline
