#include "sightline/runs/model/run_stamp.h"

#include "sightline/runs/model/run_state.h"

namespace sightline {

RunStamp StampOfRun(FileSystem& file_system, const std::string& directory,
                    const std::vector<StampedSource>& sources, bool may_have_journals) {
  RunStamp stamp;
  for (const StampedSource& source : sources) {
    RunStamp::File& file = stamp.files.emplace_back();
    static_cast<FileStamp&>(file) = source.stamp;
    file.path = source.path;
    if (!source.tail) continue;
    file.journal_from = source.tail->visible_bytes;
    file.journal_records = source.tail->payloads.size();
  }
  if (!may_have_journals) return stamp;
  RunSigns signs;
  AddJournalSigns(file_system, directory, signs);
  stamp.journal = signs.journal;
  stamp.journal_held = signs.journal_held;
  return stamp;
}

}  // namespace sightline
