// PointJournal: a file beside the run that keeps every evaluated point of a landscape as soon as it
// is known, so that work that was killed goes on where it was.
//
// Format (docs/landscape.md): the eight bytes "SLPOINT1", then records:
//   record  := uint32 length, uint32 CRC32C of the payload, payload; little-endian
//   payload := 'H' JSON | 'O' JSON | 'P' uint32 index, float64... | 'D' | 'E'
// H, the first record, says which landscape it is (landscape_outline.h); an O names a process that
// works on it, until an E; a P is a point; a D says that the finished landscape was recorded.
// Records are only ever appended. A record that is cut or does not fit its checksum ends the file:
// the next writer cuts it off.
//
// Its owner holds a lock on the file that the kernel releases when the owner ends, and touches the
// file for machines that do not see the lock (journal_owner.h). What is appended survives the end
// of the process at once, and a power loss once it was synced: the header when the journal is made,
// a D with all before it, and points at the latest with the first one that comes five seconds
// later. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/landscape/journal/journal_owner.h"
#include "sightline/landscape/journal/landscape_outline.h"

namespace sightline::landscape {

// What a journal holds.
struct JournalContent {
  std::string header;  // JSON.
  std::string owner;   // JSON of the newest O; empty when that has let go.
  PointValues points;
  bool done = false;
  std::size_t bytes = 0;  // Of what is whole; a torn record may follow.
};

// Whatever is whole in `bytes`. kDataLoss for what is no journal.
Result<JournalContent> ParsePointJournal(std::string_view bytes);

// The same of a file, which somebody may be writing. Takes no lock and changes nothing.
Result<JournalContent> ReadPointJournal(FileSystem& files, const std::string& path);

// Paths of the journals in a run's directory, sorted.
Result<std::vector<std::string>> ListPointJournals(FileSystem& files, const std::string& directory);

class PointJournal {
 public:
  // Opens or creates the journal at `path` and locks it (where it is a real file). `header` must be
  // the one that is there, otherwise kFailedPrecondition names the file: it belongs to another
  // landscape, of other checkpoints or options. kUnavailable, naming the owner, where another
  // process works on it. `files` and `clock` must outlive it.
  static Result<std::unique_ptr<PointJournal>> Open(const std::string& path,
                                                    const std::string& header,
                                                    FileSystem& files = FileSystem::Local(),
                                                    const Clock& clock = Clock::System());
  ~PointJournal();
  PointJournal(const PointJournal&) = delete;
  PointJournal& operator=(const PointJournal&) = delete;

  // What was there when it was opened.
  const JournalContent& content() const { return content_; }

  // In the kernel's hands when it returns. After an error (a full disk) the next call writes to the
  // same place.
  Status AddPoint(std::size_t index, const std::vector<double>& values);
  // On the disk when it returns.
  Status MarkDone();

 private:
  PointJournal(std::string path, FileSystem& files, const Clock& clock)
      : path_(std::move(path)), files_(files), clock_(clock) {}
  Status OpenFile();
  Status Lock();
  Status Begin(const std::string& header);
  Status Append(std::string_view payload);
  Status Sync();

  const std::string path_;
  FileSystem& files_;
  const Clock& clock_;
  std::unique_ptr<WritableFile> file_;
  std::uint64_t end_ = 0;       // Where the next record goes.
  std::int64_t synced_at_ = 0;  // By the clock.
  int fd_ = -1;                 // Holds the lock.
  int owner_ = -1;              // The process that opened it: a forked child lets go of nothing.
  JournalContent content_;
  std::optional<Heartbeat> heartbeat_;
};

// ".landscape_1_3_PCA.points" for "landscape_[1, 3]": a name that no reader of event files takes
// for one.
std::string PointJournalName(std::string_view tag, std::string_view decomposition);

}  // namespace sightline::landscape
