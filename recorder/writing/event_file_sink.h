// EventFileSink: writes the records of one dialect into numbered files.
//
// Every event is written exactly once, even if the process is killed:
// - The sink writes at the offset that the journal's slot names. It moves the slot after the
//   operating system has the bytes, and only to the end of a whole event.
// - A replay keeps the whole records after that offset, and writes what is missing.
// - A new file is written with its header under a temporary name, and then renamed if its name is
//   free. By the header, a replay recognises files that the slot does not name yet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/recorder/dialect/dialect.h"
#include "sightline/recorder/dialect/record_writer.h"
#include "sightline/recorder/writing/kept_records.h"
#include "sightline/recorder/writing/recorder_options.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

class EventFileSink final : public Sink {
 public:
  struct Config {
    FileSystem* file_system = nullptr;
    const Clock* clock = nullptr;
    std::string directory;
    RunIdentity run;
    std::optional<std::uint64_t> max_file_size = std::nullopt;
    OnFileFull on_file_full = OnFileFull::kRotate;
    SinkObserver observer;
  };

  // `slot`: the number of this sink's slot in the journal.
  EventFileSink(Config config, std::unique_ptr<Dialect> dialect, Journal& journal,
                std::size_t slot);

  // For a new run: creates the first file, if the dialect opens at once.
  Status OpenNew();
  // For a run that was killed: continues in its newest file.
  Status Resume();

  const std::string& name() const override { return dialect_->name(); }
  bool expendable() const override { return false; }
  Status Append(const PreparedEvent& event, const JournalCursor& behind) override;
  Status AppendScalars(std::span<const PlacedScalar> events) override;
  void Skip(const JournalCursor& behind) override;
  Status Flush() override;
  void Rollback() override;
  Status Sync() override;
  Status Close() override;
  JournalCursor done() const override { return {stored_.position, stored_.sequence}; }
  JournalCursor taken() const override { return taken_; }

 private:
  std::string PathOf(const char* file_name) const { return JoinPath(config_.directory, file_name); }

  // Whether the file may take so many bytes more.
  bool Takes(std::uint64_t bytes) const {
    return !config_.max_file_size || file_.end() + bytes <= *config_.max_file_size;
  }
  Status Reopen();
  Result<std::vector<std::string>> FilesAfterTheSlot();
  Result<bool> IsOurs(const std::string& file_name);
  Status Keep(const std::string& file_name, std::uint64_t offset, std::size_t skip);
  Status EnsureOpen(std::int64_t step);
  // Makes room for an event of `bytes`. Opens a file or rotates if needed; stops if the file is
  // full and the options say so.
  Status MakeRoom(std::uint64_t bytes, std::int64_t step);
  Status OpenSegment(std::int64_t first_step);
  // Closes a full file. The next Sync opens it again to sync it.
  Status CloseFull();
  Status PublishSegment(const std::string& temporary, std::uint64_t header_bytes,
                        std::uint32_t segment);
  Result<std::uint64_t> MakeSegment(const std::string& temporary, std::uint32_t segment,
                                    std::int64_t first_step);

  Status PutScalar(const ScalarEvent& event);
  Status PutEvent(const PreparedEvent& event);
  void EventTaken(const JournalCursor& behind);
  void StoreTaken();
  void StoreProgress();
  // If more of the file was flushed, tells the observer and stores the progress in the journal.
  void NoteFlushed();

  Config config_;
  std::unique_ptr<Dialect> dialect_;
  Journal& journal_;
  const std::size_t slot_;

  RecordWriter file_;
  std::uint64_t noted_ = 0;         // file_.flushed() at the last NoteFlushed.
  SinkProgress stored_;             // The progress in the journal.
  JournalCursor taken_;             // The place after the last event that was appended completely.
  std::uint64_t taken_end_ = 0;     // Where the file ends with that event.
  std::uint64_t taken_offset_ = 0;  // Where a replay would look for the events after it.
  std::vector<std::string> unsynced_;  // Paths of full files that are closed but not synced.
  bool new_name_ = false;              // A new file's name in the directory is not synced.
  KeptRecords kept_;                   // The records in the files that Resume found.
  // Where the first event of the current file begins; 0 if the file was resumed.
  std::uint64_t segment_begin_ = 0;
  std::vector<Payload> payloads_;  // Reused for each event.
};

}  // namespace sightline
