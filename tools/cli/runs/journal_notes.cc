#include "sightline/tools/cli/runs/journal_notes.h"

#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

std::string StateOf(const LeftJournal& journal) {
  switch (journal.owner) {
    case JournalOwner::kLives:
      return "is in use: its recorder lives";
    case JournalOwner::kDead:
      return "was left by a recorder that was killed or could not write its files: `sightline "
             "recover " +
             Printable(DirectoryOf(journal.path)) + "` completes the files";
    case JournalOwner::kElsewhere:
      return "was written on another machine: whether its recorder lives is known there";
    case JournalOwner::kUnknown:
      return "cannot be opened: whether its recorder lives is not known";
  }
  return "";
}

}  // namespace

std::string JournalNotes(const std::vector<LeftJournal>& journals, std::size_t indent) {
  std::string notes;
  for (const LeftJournal& journal : journals) {
    notes += std::string(notes.empty() ? "\n" : "") + std::string(indent, ' ') +
             Printable(journal.path) + " " + StateOf(journal) + "\n";
  }
  return notes;
}

nlohmann::ordered_json JournalsToJson(const std::vector<LeftJournal>& journals) {
  auto json = nlohmann::ordered_json::array();
  for (const LeftJournal& journal : journals) {
    json.push_back({{"journal", journal.path},
                    {"session_id", journal.session_id},
                    {"owner", JournalOwnerName(journal.owner)}});
  }
  return json;
}

}  // namespace sightline
