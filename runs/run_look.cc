#include "sightline/runs/run_look.h"

#include "sightline/runs/run_state.h"

namespace sightline {

RunLook LookAt(FileSystem& file_system, const std::string& directory,
               const std::vector<EventSource>& sources) {
  RunLook look;
  for (const EventSource& source : sources) {
    RunLook::File& file = look.files.emplace_back();
    file.path = source.path;
    if (const auto info = file_system.Stat(source.path)) {
      file.bytes = info->size;
      file.modified_seconds = info->modified_seconds;
    }
    if (!source.tail) continue;
    file.journal_from = source.tail->visible_bytes;
    file.journal_records = source.tail->payloads.size();
  }
  RunSigns signs;
  AddJournalSigns(file_system, directory, signs);
  look.journal = signs.journal;
  look.journal_held = signs.journal_held;
  return look;
}

}  // namespace sightline
