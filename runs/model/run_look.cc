#include "sightline/runs/model/run_look.h"

#include "sightline/runs/model/run_state.h"

namespace sightline {

RunLook LookAt(FileSystem& file_system, const std::string& directory,
               const std::vector<EventSource>& sources, bool may_have_journals) {
  RunLook look;
  for (const EventSource& source : sources) {
    RunLook::File& file = look.files.emplace_back();
    static_cast<FileLook&>(file) = source.look;
    file.path = source.path;
    if (!source.tail) continue;
    file.journal_from = source.tail->visible_bytes;
    file.journal_records = source.tail->payloads.size();
  }
  if (!may_have_journals) return look;
  RunSigns signs;
  AddJournalSigns(file_system, directory, signs);
  look.journal = signs.journal;
  look.journal_held = signs.journal_held;
  return look;
}

}  // namespace sightline
