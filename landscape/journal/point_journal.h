// PointJournal: a file in the run's directory to which every point of a landscape is appended as
// soon as it is known, so that work that was killed can continue.
//
// Format (docs/landscape.md): the eight bytes "SLPOINT1", then records:
//   record  := uint32 length, uint32 CRC32C of the payload, payload; little-endian
//   payload := 'H' JSON | 'O' JSON | 'P' uint32 index, float64... | 'D' | 'E'
// H, the first record, tells which landscape it is (landscape_outline.h). An O names a process that
// works on it, until an E. A P is a point. A D means that the finished landscape was recorded.
// Records are only appended. A record that is cut off or does not match its checksum ends the file,
// and the next writer removes it.
//
// The owner holds a lock on the file, which the kernel releases when the owner ends, and touches
// the file for machines that do not see the lock (journal_owner.h). Appended records survive the
// end of the process. They survive a power loss once they are synced: the header when the journal
// is made, a D with all records before it, and points when one comes five seconds or more after the
// last sync. One thread.
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

// The contents of a journal.
struct JournalContent {
  std::string header;  // JSON.
  std::string owner;   // JSON of the newest O; empty after an E.
  PointValues points;
  bool done = false;
  std::size_t bytes = 0;  // Of the whole records; a torn one may follow.
};

// Reads the whole records of `bytes`. kDataLoss if it is not a journal.
Result<JournalContent> ParsePointJournal(std::string_view bytes);

// The same for a file, which another process may be writing. Takes no lock and changes nothing.
Result<JournalContent> ReadPointJournal(FileSystem& file_system, const std::string& path);

// The paths of the journals in a run's directory, sorted.
Result<std::vector<std::string>> ListPointJournals(FileSystem& file_system,
                                                   const std::string& directory);

class PointJournal {
 public:
  // Opens or creates the journal at `path` and locks it (if it is a real file).
  // kFailedPrecondition, naming the file, if it has another header than `header`: then it belongs
  // to another landscape, of other checkpoints or options. kUnavailable, naming the owner, if
  // another process works on it. `file_system` and `clock` must outlive the journal.
  static Result<std::unique_ptr<PointJournal>> Open(FileSystem& file_system,
                                                    const std::string& path,
                                                    const std::string& header,
                                                    const Clock& clock = Clock::System());
  ~PointJournal();
  PointJournal(const PointJournal&) = delete;
  PointJournal& operator=(const PointJournal&) = delete;

  // The contents of the journal when it was opened.
  const JournalContent& content() const { return content_; }

  // When it returns, the point survives the end of the process. After an error (a full disk) the
  // next call writes to the same place.
  Status AddPoint(std::size_t index, const std::vector<double>& values);
  // When it returns, all records survive a power loss.
  Status MarkDone();

 private:
  PointJournal(std::string path, FileSystem& file_system, const Clock& clock)
      : path_(std::move(path)), file_system_(file_system), clock_(clock) {}
  Status OpenFile();
  Status Lock();
  Status Begin(const std::string& header);
  Status Append(std::string_view payload);
  Status Sync();

  const std::string path_;
  FileSystem& file_system_;
  const Clock& clock_;
  std::unique_ptr<WritableFile> file_;
  std::uint64_t end_ = 0;       // Where the next record goes.
  std::int64_t synced_at_ = 0;  // By the clock.
  int fd_ = -1;                 // Holds the lock.
  int owner_ = -1;              // The process that opened it: a forked child releases nothing.
  JournalContent content_;
  std::optional<Heartbeat> heartbeat_;
};

// ".landscape_1_3_PCA.points" for "landscape_[1, 3]": readers of event files ignore this
// name.
std::string PointJournalName(std::string_view tag, std::string_view decomposition);

}  // namespace sightline::landscape
