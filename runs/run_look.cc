#include "sightline/runs/run_look.h"

#include <sys/stat.h>

#include "sightline/runs/run_state.h"

namespace sightline {
namespace {

void LookAtFile(FileSystem& file_system, RunLook::File& file) {
  struct stat info = {};
  if (const auto path = file_system.MappablePath(file.path)) {
    if (stat(path->c_str(), &info) != 0) return;
    file.bytes = static_cast<std::uint64_t>(info.st_size);
    file.modified_seconds =
        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
    file.changed_nanos = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec;
    file.inode = info.st_ino;
  } else if (const auto seen = file_system.Stat(file.path)) {
    file.bytes = seen->size;
    file.modified_seconds = seen->modified_seconds;
  }
}

}  // namespace

RunLook LookAt(FileSystem& file_system, const std::string& directory,
               const std::vector<EventSource>& sources, bool may_have_journals) {
  RunLook look;
  for (const EventSource& source : sources) {
    RunLook::File& file = look.files.emplace_back();
    file.path = source.path;
    LookAtFile(file_system, file);
    if (!source.tail) continue;
    file.journal_from = source.tail->visible_bytes;
    file.journal_records = source.tail->payloads.size();
  }
  RunSigns signs;
  if (may_have_journals) AddJournalSigns(file_system, directory, signs);
  look.journal = signs.journal;
  look.journal_held = signs.journal_held;
  return look;
}

}  // namespace sightline
