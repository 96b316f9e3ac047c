// The writer's part of Recorder: opening, the thread that drains the journal, flushing, closing.
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <exception>

#include "sightline/base/background_thread.h"
#include "sightline/base/system/host_name.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/reading/session_search.h"
#include "sightline/recorder/recorder_impl.h"
#include "sightline/recorder/writing/journal_reader.h"
#include "sightline/recorder/writing/journal_replay.h"

namespace sightline {
namespace {

// The shares of buffer_bytes for the journal's ring, and for added values that wait for Record. The
// writer uses the rest while it encodes.
std::size_t RingBytes(std::size_t buffer_bytes) { return buffer_bytes / 4 * 3; }
std::size_t StagingBytes(std::size_t buffer_bytes) { return buffer_bytes / 8; }

// A napping writer is woken when so many bytes wait for it.
constexpr std::uint64_t kWakeBytes = std::uint64_t{1} << 20;

// If more than that waits but a caller is still filling the first entry, the writer looks again
// after this time, since nobody tells it when the entry is complete.
constexpr std::chrono::microseconds kFillingWait{200};

Result<std::string> NewSessionId() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof(bytes), 0) != static_cast<ssize_t>(sizeof(bytes))) {
    return Error(ErrnoStatus("cannot get random bytes", errno));
  }
  std::string id;
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

std::string MachineName() {
  const std::string name = HostName();
  return name.empty() ? "localhost" : name;
}

// The number for the names of the first files. Readers order a directory's files by it, so it is
// larger than those of the existing files, even within the same second.
std::uint64_t FirstDigits(FileSystem& file_system, const std::string& directory, double now) {
  auto digits = static_cast<std::uint64_t>(std::max(now, 0.0));
  if (const auto names = file_system.List(directory)) {
    for (const std::string& name : *names) {
      if (const auto parsed = ParseEventFileName(name))
        digits = std::max(digits, parsed->seconds + 1);
    }
  }
  return digits;
}

}  // namespace

Recorder::Impl::Impl(std::string directory, const RecorderOptions& options)
    : directory_(std::move(directory)),
      options_(options),
      generation_(ProcessGeneration()),
      staging_(StagingBytes(options.writing.buffer_bytes)) {}

Recorder::Impl::~Impl() {
  (void)Close().ok();
  ProcessRegistry::Remove(this);
}

// Readers show what several processes record as rank 0 of 1 as one series with mixed values.
void Recorder::Impl::SayIfNotAlone(const std::vector<std::string>& live_sessions) {
  FileSystem& fs = *options_.writing.file_system;
  for (const std::string& session : live_sessions) {
    const auto other = RankOfJournal(fs, JoinPath(directory_, kJournalPrefix + session));
    if (!other || other->world_size != 1) continue;
    if (options_.writing.on_refused) {
      options_.writing.on_refused(
          "another recorder writes into this directory now, and both are rank 0 of 1, so their "
          "values cannot be told apart; set rank and world_size, or RANK and WORLD_SIZE in the "
          "environment, or use a directory for each");
    }
    return;
  }
}

Status Recorder::Impl::Open() {
  SIGHTLINE_RETURN_IF_ERROR(options_.Check());
  FileSystem& fs = *options_.writing.file_system;
  SIGHTLINE_RETURN_IF_ERROR(CheckLocalPath("directory", directory_));
  directory_ = fs.AbsolutePath(directory_);
  SIGHTLINE_RETURN_IF_ERROR(fs.CreateDirectories(directory_));
  const ReplaySummary replayed =
      ReplayJournals(directory_, fs, *options_.writing.clock, faults_, host());

  SIGHTLINE_ASSIGN_OR_RETURN(config_.run.session_id, NewSessionId());
  config_.run.hostname =
      options_.writing.hostname.empty() ? MachineName() : options_.writing.hostname;
  const auto [rank, world_size] = RankOf(options_.writing);
  config_.run.rank = rank;
  config_.run.world_size = world_size;
  config_.run.device_id = options_.writing.device_id;
  if (world_size == 1) SayIfNotAlone(replayed.live);
  config_.run.resume_from_step = options_.resume_from_step;
  if (options_.resume_from_step) {
    config_.run.continues_session = FindNewestSession(fs, directory_, rank, replayed.live);
  }
  config_.run.opened_digits = FirstDigits(fs, directory_, options_.writing.clock->WallSeconds());
  config_.formats = options_.formats;
  config_.export_npy = options_.export_npy;
  config_.max_file_size = options_.max_file_size;
  config_.on_file_full = options_.on_file_full;

  SIGHTLINE_RETURN_IF_ERROR(OpenJournal());
  auto sinks = OpenSinks(config_, directory_, SinkStart::kNewRun, fs, *options_.writing.clock,
                         Observer(), *journal_);
  if (!sinks) {
    (void)journal_->map().Remove().ok();
    return sinks.error();
  }
  drain_ = std::make_unique<JournalDrain>(
      *journal_, JournalDrain::Source::kLive, *std::move(sinks),
      JournalDrain::SpaceLimit{&fs, directory_, options_.writing.min_free_disk_bytes},
      options_.writing.workers, faults_);
  drain_->set_on_release([this] {
    if (room_waiters_.load(std::memory_order_seq_cst) == 0) return;
    // A caller that found no room holds the lock until it waits. Notify after releasing the lock,
    // so that nobody wakes only to wait for it.
    { const std::lock_guard lock(room_mutex_); }
    room_.notify_all();
  });
  synced_at_ = options_.writing.clock->MonotonicNanos();
  auto writer = StartBackgroundThread("sightline-write", [this] { WriterMain(); });
  if (!writer) {
    (void)drain_->Close().ok();
    (void)journal_->map().Remove().ok();
    return writer.error();
  }
  writer_ = *std::move(writer);
  ProcessRegistry::SetOnSigterm(this, [this] { (void)Close().ok(); });
  return {};
}

Status Recorder::Impl::OpenJournal() {
  const std::string& beside = directory_;
  const std::string where =
      options_.writing.journal_dir.empty()
          ? beside
          : options_.writing.file_system->AbsolutePath(options_.writing.journal_dir);
  const std::string manifest = ManifestOf(config_);
  const std::size_t ring_bytes = RingBytes(options_.writing.buffer_bytes);
  const std::size_t sinks = SinkCount(config_);
  Status status = options_.writing.file_system->CreateDirectories(where);
  Result<std::unique_ptr<JournalMap>> map = Error(StatusCode::kUnimplemented, "");
  if (status.ok()) {
    map = JournalMap::Create(*options_.writing.file_system, where, beside, config_.run.session_id,
                             ring_bytes, manifest, sinks, host());
    if (!map) status = map.error();
  }
  if (!status.ok()) {
    faults_.Note(status.WithContext(
        "recording continues in private memory and is not safe against SIGKILL"));
    map = JournalMap::CreatePrivate(config_.run.session_id, ring_bytes, manifest, sinks);
    if (!map) return map.error();
  }
  journal_ = std::make_unique<Journal>(*std::move(map));
  // Early enough that callers find room while the writer works.
  journal_->set_wake_bytes(std::min<std::uint64_t>(journal_->map().ring_bytes() / 4, kWakeBytes));
  return {};
}

SinkObserver Recorder::Impl::Observer() {
  return {
      [this](const std::string& path) {
        const std::lock_guard lock(files_mutex_);
        files_.push_back(path);
      },
      [this](std::uint64_t bytes) { written_bytes_.fetch_add(bytes, std::memory_order_relaxed); },
      [this](const Status& why) {
        faults_.Note(why);
        unspeakable_values_.fetch_add(1, std::memory_order_relaxed);
      },
      [this](std::size_t slot, std::uint64_t values) {
        left_out_values_.at(slot).fetch_add(values, std::memory_order_relaxed);
      },
  };
}

void Recorder::Impl::WriterMain() {
  journal_->map().Populate();
  bool did_work = false;
  for (;;) {
    const Orders orders = WaitForWork(did_work);
    const std::uint64_t target = journal_->head();
    const std::uint64_t before = drain_->done().sequence;
    Status status = drain_->Drain();
    const bool all = orders.close || orders.flush != 0;
    // Entries that callers are still filling were reserved before the order, and are committed in
    // an instant.
    while (all && status.ok() && drain_->done().position < target) {
      std::this_thread::yield();
      status = drain_->Drain();
    }
    written_events_.store(drain_->done().sequence, std::memory_order_relaxed);
    did_work = drain_->done().sequence != before;
    const Status finished = SyncAndClose(orders);
    if (status.ok()) status = finished;
    writer_cpu_nanos_.store(ThreadCpuNanos(), std::memory_order_relaxed);
    if (all) {
      const std::lock_guard lock(wake_mutex_);
      flush_done_ = std::max(flush_done_, orders.flush);
      flush_status_ = status;
      flushed_.notify_all();
    }
    if (drain_->stalled()) {
      const std::lock_guard lock(room_mutex_);
      room_.notify_all();
    }
    if (orders.close) return;
  }
}

// Sleeps until there is work. Values wait for half a flush interval before they are written, so
// that a training loop wakes this thread at most once in a burst.
Recorder::Impl::Orders Recorder::Impl::WaitForWork(bool did_work) {
  const auto nap = options_.writing.flush_interval / 2 + std::chrono::milliseconds(1);
  std::unique_lock lock(wake_mutex_);
  const auto ordered = [this] { return close_ordered_ || flush_ordered_ > flush_done_; };
  const auto due = [&] { return woken_ || wanted_at_once_ || ordered(); };
  if (drain_->paused() && !ordered()) {
    // The writer tries again after a nap. While some files can be written, it does not make callers
    // wait for the end of the nap if they find no room.
    (void)journal_->TrySleep(Journal::WriterState::kDozing, 0);
    if (drain_->stalled()) {
      wake_.wait_for(lock, nap, ordered);
    } else {
      wake_.wait_for(lock, nap, due);
    }
  } else if (!due()) {
    const std::uint64_t done = drain_->done().position;
    const bool sync_pending = options_.writing.sync == SyncPolicy::kInterval &&
                              drain_->done().sequence != synced_sequence_;
    const bool busy = did_work || sync_pending || journal_->head() != done;
    if (!busy && journal_->TrySleep(Journal::WriterState::kIdle, done)) {
      wake_.wait(lock, due);
      woken_ = false;
    }
    if (!due() && journal_->TrySleep(Journal::WriterState::kNapping, done)) {
      wake_.wait_for(lock, nap, due);
    } else if (!due() && !did_work) {
      wake_.wait_for(lock, kFillingWait, due);
    }
  }
  journal_->Awake();
  woken_ = wanted_at_once_ = false;
  return {flush_ordered_ > flush_done_ ? flush_ordered_ : 0, std::exchange(sync_ordered_, false),
          close_ordered_};
}

// Syncs and closes the files if that is ordered, or if a sync is due.
Status Recorder::Impl::SyncAndClose(const Orders& orders) noexcept try {
  const bool to_disk =
      orders.to_disk || (orders.close && options_.writing.sync != SyncPolicy::kNever);
  Status status = SyncIfDue(to_disk);
  if (!orders.close) return status;
  const Status closed = drain_->Close();
  return status.ok() ? closed : status;
} catch (const std::exception&) {
  return drain_->no_memory();
}

Status Recorder::Impl::SyncIfDue(bool ordered) {
  const std::int64_t now = options_.writing.clock->MonotonicNanos();
  const std::uint64_t done = drain_->done().sequence;
  const std::int64_t interval = std::chrono::nanoseconds(options_.writing.sync_interval).count();
  const bool due = options_.writing.sync == SyncPolicy::kInterval && now - synced_at_ >= interval &&
                   done != synced_sequence_;
  if (!ordered && !due) return {};
  synced_at_ = now;
  SIGHTLINE_RETURN_IF_ERROR(drain_->Sync());
  const Status names = SyncNamesOnTheWay();
  faults_.Note(names);
  SIGHTLINE_RETURN_IF_ERROR(names);
  synced_sequence_ = done;
  return {};
}

// Syncs the directories above the run's directory, once: they may be as new as the run's files.
Status Recorder::Impl::SyncNamesOnTheWay() {
  if (names_on_the_way_synced_) return {};
  for (std::string at = DirectoryOf(directory_);; at = DirectoryOf(at)) {
    Status status = options_.writing.file_system->SyncDirectory(at);
    // A directory that cannot be opened, or whose file system has no sync, is not a new one.
    const bool failed =
        status.code() == StatusCode::kIoError || status.code() == StatusCode::kResourceExhausted;
    if (failed) return status;
    if (at == DirectoryOf(at)) break;
  }
  names_on_the_way_synced_ = true;
  return {};
}

Status Recorder::Impl::Flush(FlushTo to) noexcept try {
  if (!usable()) {
    return Status(StatusCode::kFailedPrecondition,
                  "a forked child does not write its parent's files");
  }
  std::unique_lock lock(wake_mutex_);
  if (close_ordered_) return Status(StatusCode::kFailedPrecondition, "the recorder is closed");
  const std::uint64_t ticket = ++flush_ordered_;
  sync_ordered_ = sync_ordered_ || to == FlushTo::kDisk;
  wake_.notify_one();
  flushed_.wait(lock, [&] { return flush_done_ >= ticket; });
  return flush_status_;
} catch (const std::exception&) {
  return drain_->no_memory();
}

Status Recorder::Impl::Close() noexcept {
  if (!usable()) return {};
  const std::lock_guard closing(close_mutex_);
  if (!writer_.joinable()) return close_status_;  // Closed before, or never opened.
  journal_->Seal();
  {
    const std::lock_guard lock(room_mutex_);
    room_.notify_all();
  }
  {
    const std::lock_guard lock(wake_mutex_);
    close_ordered_ = true;
    wake_.notify_one();
  }
  writer_.join();
  {
    const std::lock_guard lock(wake_mutex_);
    close_status_ = flush_status_;
  }
  try {
    const Status finished = Finished();
    close_status_ = close_status_.ok() ? finished : WithWayOut();
  } catch (const std::exception&) {
    if (close_status_.ok()) close_status_ = drain_->no_memory();
  }
  return close_status_;
}

// The status of Close if not everything could be written: the error, and what became of the rest.
Status Recorder::Impl::WithWayOut() {
  if (drain_->done().position == journal_->head()) return close_status_;
  // Somebody may have removed the directory, and the journal with it.
  if (!journal_->kill_safe() || !options_.writing.file_system->Stat(journal_->map().path())) {
    drain_->LoseTheRest();
    return Status(close_status_.code(),
                  fmt::format("{}; what is not in the files is lost, since there is no journal",
                              close_status_.message()));
  }
  return Status(close_status_.code(),
                fmt::format("{}; the journal keeps what is not in the files yet: once they can be "
                            "written, `sightline recover {}` completes them",
                            close_status_.message(), directory_));
}

// Removes the journal if everything in it is written. Returns what Close reports if there was no
// other error: lost values or refusals.
Status Recorder::Impl::Finished() {
  if (drain_->done().position == journal_->head()) {
    const Status removed = journal_->map().Remove();
    faults_.Note(removed);
    SIGHTLINE_RETURN_IF_ERROR(removed);
  }
  if (drain_->counters().lost_values.load() != 0) return faults_.first();
  return refusals();
}

Result<std::unique_ptr<Recorder>> Recorder::Open(const std::string& directory,
                                                 const RecorderOptions& options) {
  auto impl = std::make_unique<Impl>(directory, options);
  SIGHTLINE_RETURN_IF_ERROR(impl->Open());
  return std::unique_ptr<Recorder>(new Recorder(std::move(impl)));
}

Recorder::Recorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Recorder::~Recorder() {
  // In a forked child, the parent's threads do not exist and its locks may be held for ever, so
  // nothing is destroyed.
  if (!impl_->usable()) (void)impl_.release();  // NOLINT(bugprone-unused-return-value)
}

}  // namespace sightline
