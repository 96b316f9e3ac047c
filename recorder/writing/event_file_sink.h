// EventFileSink: writes the records of one dialect into numbered files.
//
// Exactly once, even when killed: a file only ever grows at the offset that the journal's slot
// names, the slot moves on after the bytes are with the operating system, and only at the end of a
// whole event. A replay leaves what lies after that place, and writes what is missing. New files
// appear under their name complete with their header (written under a temporary name, then renamed
// if the name is free), by which a replay knows those that the slot does not name yet.
#pragma once

#include <memory>
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
    std::uint64_t max_file_size = 0;
    OnFileFull on_file_full = OnFileFull::kRotate;
    SinkObserver observer;
  };

  // `slot`: which of the journal's slots is this sink's.
  EventFileSink(Config config, std::unique_ptr<Dialect> dialect, Journal& journal,
                std::size_t slot);

  // For a new run: creates the first file if the dialect wants it at once.
  Status OpenNew();
  // For a run that was killed: continues its newest file.
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

  Status Reopen();
  Result<std::vector<std::string>> FilesAfterTheSlot();
  Result<bool> IsOurs(const std::string& file_name);
  Status Keep(const std::string& file_name, std::uint64_t offset, std::size_t skip);
  Status EnsureOpen(std::int64_t step);
  // A file with room for an event of `bytes`; opens or rotates where needed.
  Status MakeRoom(std::uint64_t bytes, std::int64_t step);
  Status OpenSegment(std::int64_t first_step);
  // Of a file that is full: Sync comes back to it.
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
  // The journal learns how far the file is whenever that changes.
  void NoteFlushed();

  Config config_;
  std::unique_ptr<Dialect> dialect_;
  Journal& journal_;
  const std::size_t slot_;

  RecordWriter file_;
  std::uint64_t noted_ = 0;            // file_.flushed() when NoteFlushed last looked.
  SinkProgress stored_;                // As in the journal.
  JournalCursor taken_;                // Behind the last event that was appended completely,
  std::uint64_t taken_end_ = 0;        // where the file ends with it,
  std::uint64_t taken_offset_ = 0;     // and from where on a replay would write what follows it.
  std::vector<std::string> unsynced_;  // Paths of files that were closed since the last Sync.
  bool new_name_ = false;              // The directory has one that Sync has not made durable.
  KeptRecords kept_;                   // Of the files that Resume found.
  std::uint64_t segment_begin_ =
      0;  // Where the first event of the current file begins; 0 when resumed.
  std::vector<Payload> payloads_;  // Reused.
};

}  // namespace sightline
