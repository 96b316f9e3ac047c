#include "sightline/profiler/record/profile_recorder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/base/clock.h"
#include "sightline/profiler/record/profile_writer.h"
#include "sightline/profiler/record/span.h"
#include "sightline/profiler/record/system_counters.h"
#include "sightline/profiler/record/thread_events.h"

namespace sightline::profiler {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

// Limits of the writer's pauses. A pause is so short that an eighth of a ring fills at the last
// pause's rate, and never so long that a thread that begins to record at full rate fills its ring
// meanwhile.
constexpr std::chrono::microseconds kShortestPause{1'000};
constexpr std::chrono::microseconds kLongestPause{25'000};

std::mutex starting;   // One profile at a time.
pid_t running_in = 0;  // The process that records a profile; 0: none.
Session last_session = 0;

Status Check(const ProfileOptions& options) {
  constexpr std::size_t kLeastRing = std::size_t{64} << 10U;
  constexpr std::size_t kMostRing = std::size_t{1} << 30U;
  if (options.directory.empty()) {
    return Status(StatusCode::kInvalidArgument, "a profile needs a directory to write to");
  }
  if (options.ring_bytes < kLeastRing || options.ring_bytes > kMostRing) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("ring_bytes is {}, but must be 64 KiB to 1 GiB", options.ring_bytes));
  }
  if (options.flush_interval < milliseconds(1) || options.flush_interval > milliseconds(10'000)) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("flush_interval is {} ms, but must be 1 to 10000 ms",
                              options.flush_interval.count()));
  }
  if (options.sample_interval < milliseconds(0)) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("sample_interval is {} ms, but must be 0 (none) or more",
                              options.sample_interval.count()));
  }
  return CheckLocalPath("directory", options.directory);
}

struct NewFile {
  std::string path;
  std::unique_ptr<WritableFile> file;
};

// "profile_<seconds>_<pid>.perfetto-trace", with the first seconds that no file has.
Result<NewFile> CreateFile(const ProfileOptions& options) {
  FileSystem& file_system = *options.file_system;
  SIGHTLINE_RETURN_IF_ERROR(file_system.CreateDirectories(options.directory));
  auto seconds = static_cast<std::int64_t>(Clock::System().WallSeconds());
  for (int tries = 0;; ++tries, ++seconds) {
    std::string path = JoinPath(file_system.AbsolutePath(options.directory),
                                fmt::format("profile_{}_{}.perfetto-trace", seconds, getpid()));
    auto file = file_system.OpenForWrite(path, OpenMode::kCreateNew);
    if (file) return NewFile{std::move(path), *std::move(file)};
    constexpr int kMostTries = 1000;
    if (file.error().code() != StatusCode::kAlreadyExists || tries == kMostTries) {
      return Error(std::move(file).error());
    }
  }
}

}  // namespace

class ProfileRecorder::Impl {
 public:
  Impl(const ProfileOptions& options, NewFile file)
      : options_(options),
        path_(std::move(file.path)),
        process_(getpid()),
        writer_(std::move(file.file)) {}

  Status Start(Session session) {
    writer_.Start();
    OpenRings(session, options_.ring_bytes);
    auto thread = StartBackgroundThread("sl-profile", [this] { Run(); });
    if (!thread) {
      CloseRings();
      answer_ = Error(thread.error());  // Nothing is left to stop.
      return thread.error();
    }
    thread_ = *std::move(thread);
    internal::running_session.store(session, std::memory_order_release);
    return {};
  }

  Result<ProfileStats> Stop() {
    const std::lock_guard stopping(stopping_);
    if (answer_) return *answer_;
    internal::running_session.store(0, std::memory_order_release);
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_all();
    thread_.join();
    const Status written = writer_.Finish();
    CloseRings();
    {
      const std::lock_guard lock(starting);
      running_in = 0;
    }
    if (written.ok()) {
      answer_ = Stats();
    } else {
      answer_ = Error(written.WithContext("the profile " + path_));
    }
    return *answer_;
  }

  ProfileStats Stats() const {
    const ProfileWriter::Counts counts = writer_.counts();
    return {.path = path_,
            .events = counts.events,
            .dropped = counts.dropped,
            .bytes = counts.bytes,
            .threads = counts.threads};
  }

  const std::string& path() const { return path_; }
  bool IsForeign() const { return getpid() != process_; }

 private:
  void Run() {
    SteadyClock::time_point flushed = SteadyClock::now();
    SteadyClock::time_point sampled = flushed - options_.sample_interval;
    std::chrono::microseconds pause = kShortestPause;
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      lock.unlock();
      const SteadyClock::time_point now = SteadyClock::now();
      if (options_.sample_interval.count() > 0 && now - sampled >= options_.sample_interval) {
        sampled = now;
        counters_.Record(writer_.counts().dropped);
      }
      const double fullest = writer_.Drain();
      if (now - flushed >= options_.flush_interval) {
        flushed = now;
        writer_.Flush();
      }
      pause = NextPause(pause, fullest);
      lock.lock();
      wake_.wait_for(lock, std::min<std::chrono::microseconds>(pause, options_.flush_interval),
                     [this] { return stopped_; });
    }
  }

  static std::chrono::microseconds NextPause(std::chrono::microseconds last, double fullest) {
    constexpr double kAim = 0.125;
    constexpr double kMostGrowth = 2;
    const double factor = fullest > 0 ? std::min(kMostGrowth, kAim / fullest) : kMostGrowth;
    return std::clamp(std::chrono::microseconds(
                          static_cast<std::int64_t>(static_cast<double>(last.count()) * factor)),
                      kShortestPause, kLongestPause);
  }

  const ProfileOptions options_;
  const std::string path_;
  const pid_t process_;
  ProfileWriter writer_;
  SystemCounters counters_;
  std::thread thread_;
  std::mutex stopping_;
  std::optional<Result<ProfileStats>> answer_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
};

Result<std::unique_ptr<ProfileRecorder>> ProfileRecorder::Start(const ProfileOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(Check(options));
  const std::lock_guard lock(starting);
  // A forked child has a copy of the variable, but no profile.
  if (running_in == getpid()) {
    return Error(StatusCode::kFailedPrecondition,
                 "a profile is running in this process; stop it before the next one");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(NewFile file, CreateFile(options));
  ChooseClock();
  auto impl = std::make_unique<Impl>(options, std::move(file));
  SIGHTLINE_RETURN_IF_ERROR(impl->Start(++last_session));
  running_in = getpid();
  return std::unique_ptr<ProfileRecorder>(new ProfileRecorder(std::move(impl)));
}

ProfileRecorder::ProfileRecorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ProfileRecorder::~ProfileRecorder() {
  if (impl_->IsForeign()) {
    (void)impl_.release();  // The thread exists only in the parent, so it cannot be joined.
    return;
  }
  (void)impl_->Stop();
}

Result<ProfileStats> ProfileRecorder::Stop() {
  if (impl_->IsForeign()) {
    return Error(StatusCode::kFailedPrecondition,
                 "the profile " + impl_->path() + " is recorded by the parent process");
  }
  return impl_->Stop();
}

const std::string& ProfileRecorder::path() const { return impl_->path(); }
ProfileStats ProfileRecorder::Stats() const { return impl_->Stats(); }

}  // namespace sightline::profiler
