// Recorder::Impl: what a Recorder does in its callers' threads (staging, journal) and in its own
// writer thread. Private to recorder/.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sightline/base/process_registry.h"
#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/journal/staging.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_drain.h"
#include "sightline/recorder/writing/run_config.h"

namespace sightline {

class Recorder::Impl {
 public:
  Impl(std::string directory, const RecorderOptions& options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Open();

  // --- recorder.cc: the calls ---
  TagId Intern(std::string_view text);
  Outcome Stage(Tag tag, const Value& value);
  Outcome RecordStaged(std::int64_t step);
  Outcome RecordValues(std::int64_t step, double wall_time, std::span<const TaggedValue> values);
  Outcome RecordWithCare(std::int64_t step, double wall_time, std::span<const TaggedValue> values);
  Outcome RecordScalar(Tag tag, std::int64_t step, double value);
  // Records a TensorBoard event, or refuses the value that has none.
  Outcome RecordTensorBoard(Tag tag, std::int64_t step, const Result<std::string>& event);
  // Counts values that cannot be recorded. The user is told once for each `cause`; if it is empty,
  // the message is the cause.
  Outcome Reject(std::uint64_t values, const Status& status, std::string_view cause = "");
  // Counts values that there is no room for. `why` null: the buffer is full.
  Outcome Drop(std::uint64_t values, const char* why) noexcept;
  Outcome Refuse(const Status& why, std::string_view cause) {
    return usable() ? Reject(1, why, cause) : Outcome::kClosed;
  }
  Status refusals() const;
  double Now() const { return options_.writing.clock->WallSeconds(); }
  bool HasRoom(std::size_t bytes) const;
  bool paused() const { return usable() && drain_->paused(); }
  RecorderStats Stats() const;

  // --- recorder_writer.cc: the writer's thread ---
  Status Flush(FlushTo to) noexcept;
  Status Close() noexcept;

  bool usable() const { return generation_ == ProcessGeneration(); }
  FaultLog& faults() { return faults_; }
  const std::string& directory() const { return directory_; }
  const RunIdentity& run() const { return config_.run; }

 private:
  struct EntrySize {
    std::uint64_t body = 0;
    std::uint64_t values = 0;
    std::uint64_t given = 0;     // Bytes of the values and tags that the caller gave.
    std::uint64_t external = 0;  // Bytes that stay outside of the journal.

    EntryEventHeader Header(std::int64_t step, double wall_time) const {
      return {step, wall_time, static_cast<std::uint32_t>(values),
              external != 0 ? kExternal : kInline};
    }
  };

  Status OpenJournal();
  SinkObserver Observer();
  const Host& host() const {
    return options_.writing.host != nullptr ? *options_.writing.host : Host::This();
  }

  // Reserves an entry, and waits for room if the options allow it. If there is no entry, `outcome`
  // says why, and dropped values have been counted.
  Journal::Reservation Reserve(const EntrySize& size, Outcome& outcome);
  Journal::Reservation WaitForRoom(const EntrySize& size, Outcome& outcome);
  Outcome Finish(const Journal::Reservation& reservation, std::uint32_t checksum);
  void SayIfNotAlone(const std::vector<std::string>& live_sessions);
  // Tells the user (WritingOptions::on_refused), once for each cause.
  void Say(std::string_view cause, std::string_view message) noexcept;
  void SayOrThrow(std::string_view cause, std::string_view message);
  // An error if the value cannot be recorded, or if no format of this recorder can hold it.
  Status Check(std::string_view tag, const Value& value) const;
  bool NeedsCare(const TaggedValue& tagged) const;
  static EntrySize Measure(std::span<const TaggedValue> values, bool lend);
  Outcome RecordLent(std::int64_t step, double wall_time, std::span<const TaggedValue> values);
  enum class Wish : std::uint8_t {
    kSoon,    // The writer may wait, so that it writes more values at once.
    kAtOnce,  // A caller waits for it.
  };
  void Wake(Wish wish = Wish::kSoon);

  void WriterMain();
  // What callers ordered from the writer. Guarded by wake_mutex_.
  struct Orders {
    std::uint64_t flush = 0;
    bool to_disk = false;
    bool close = false;
  };
  Orders WaitForWork(bool did_work);
  Status SyncIfDue(bool ordered);
  Status SyncNamesOnTheWay();
  Status SyncAndClose(const Orders& orders) noexcept;
  Status Finished();
  Status WithWayOut();

  std::string directory_;  // Absolute from Open on.
  const RecorderOptions options_;
  const std::uint32_t generation_;
  RunConfig config_;
  FaultLog faults_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<JournalDrain> drain_;

  std::mutex intern_mutex_;
  std::set<std::string, std::less<>> interned_;

  std::mutex staging_mutex_;
  Staging staging_;

  std::atomic<std::uint64_t> dropped_values_{0};
  std::atomic<std::uint64_t> invalid_values_{0};
  std::array<std::atomic<std::uint64_t>, kMaxSinks> left_out_values_{};  // By sink: max_file_size.
  std::atomic<std::uint64_t> unspeakable_values_{0};
  mutable std::mutex said_mutex_;
  std::set<std::string, std::less<>> said_;
  std::string first_refused_;
  std::atomic<std::uint64_t> written_bytes_{0};
  std::atomic<std::uint64_t> written_events_{0};
  std::atomic<std::int64_t> writer_cpu_nanos_{0};
  std::atomic<std::int64_t> blocked_nanos_{0};
  mutable std::mutex files_mutex_;
  std::vector<std::string> files_;

  // For callers that wait for room.
  std::mutex room_mutex_;
  std::condition_variable room_;
  std::atomic<int> room_waiters_{0};

  // Between callers and the writer.
  std::mutex wake_mutex_;
  std::condition_variable wake_;
  std::condition_variable flushed_;
  bool woken_ = false;
  bool wanted_at_once_ = false;
  bool close_ordered_ = false;
  std::uint64_t flush_ordered_ = 0;  // Tickets.
  std::uint64_t flush_done_ = 0;
  bool sync_ordered_ = false;
  Status flush_status_;

  std::mutex close_mutex_;
  Status close_status_;
  std::int64_t synced_at_ = 0;
  std::uint64_t synced_sequence_ = 0;
  bool names_on_the_way_synced_ = false;
  std::thread writer_;
};

}  // namespace sightline
