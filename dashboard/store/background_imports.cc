#include "sightline/dashboard/store/background_imports.h"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <map>

#include "sightline/base/background_thread.h"

namespace sightline::dashboard {
namespace {

constexpr int kNice = 10;
constexpr std::size_t kMaxAtOnce = 4;
constexpr std::size_t kHeldErrors = 64;

}  // namespace

std::size_t DefaultImportsAtOnce() {
  const std::size_t processors = std::thread::hardware_concurrency();  // 0: unknown.
  return processors < 2 ? 1 : std::min(processors - 1, kMaxAtOnce);
}

struct BackgroundImports::Import {
  enum class State : std::uint8_t { kWaiting, kRunning, kDone };

  Import(Key its_key, std::size_t its_held, AnyRead its_read, FileSystem& base,
         std::function<bool(Import&)> is_cancelled)
      : key(std::move(its_key)),
        held(its_held),
        read(std::move(its_read)),
        files(base,
              [this, is_cancelled = std::move(is_cancelled)] { return is_cancelled(*this); }) {}

  const Key key;
  const std::size_t held;
  AnyRead read;  // Empty after it was called.
  ImportFiles files;
  State state = State::kWaiting;
  Result<AnyValue> result = nullptr;  // Does not change once the state is kDone.
  bool cancelled = false;
  bool delivered = false;  // A request has got the result.
  std::int64_t asked = 0;  // When a request asked for it last, in nanoseconds.
  std::int64_t done = 0;   // When it ended.
};

BackgroundImports::BackgroundImports(FileSystem& files, ImportOptions options)
    : files_(files), options_(options) {}

BackgroundImports::~BackgroundImports() { Stop(); }

void BackgroundImports::Stop() {
  std::list<ImportPtr> dropped;
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    dropped.swap(imports_);
    threads.swap(threads_);
  }
  wake_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

BackgroundImports::ImportPtr BackgroundImports::Lookup(const Key& key) {
  const auto found = std::find_if(imports_.begin(), imports_.end(),
                                  [&](const ImportPtr& one) { return one->key == key; });
  if (found == imports_.end()) return nullptr;
  imports_.splice(imports_.begin(), imports_, found);
  (*found)->asked = options_.clock->MonotonicNanos();
  return *found;
}

bool BackgroundImports::IsExpired(const Import& import) const {
  const std::chrono::nanoseconds since(options_.clock->MonotonicNanos() - import.asked);
  return since > options_.patience;
}

bool BackgroundImports::CancelIfDue(Import& import) {
  if (import.cancelled || !(stopped_ || IsExpired(import))) return import.cancelled;
  import.cancelled = true;
  imports_.remove_if([&](const ImportPtr& one) { return one.get() == &import; });
  return true;
}

Result<Opened<void>> BackgroundImports::ResultOf(Import& import) {
  if (import.state != Import::State::kDone) return Opened<void>{nullptr, import.files.progress()};
  import.delivered = true;
  if (!import.result) return Error(import.result.error());
  return Opened<void>{*import.result, import.files.progress()};
}

std::optional<Result<Opened<void>>> BackgroundImports::FindAny(const Key& key) {
  ImportPtr known;  // Outlives the lock: it may be the last reference to a large value.
  std::unique_lock lock(mutex_);
  known = Lookup(key);
  if (known == nullptr) return std::nullopt;
  // A result is given to somebody even if a file has changed since; otherwise nobody would ever see
  // a file that grows all the time.
  if (known->state != Import::State::kDone || !known->delivered) return ResultOf(*known);
  const std::chrono::nanoseconds age(options_.clock->MonotonicNanos() - known->done);
  const bool forget = !known->result && age > options_.failure_time;
  // A file system may be slow, so others must not wait for it.
  lock.unlock();
  const bool outdated = forget || known->files.Changed();
  lock.lock();
  if (!outdated) return ResultOf(*known);
  if (std::erase(imports_, known) > 0) outdated_.push_back(known);
  return std::nullopt;
}

Result<Opened<void>> BackgroundImports::StartAny(const Key& key, std::size_t held, AnyRead read) {
  const std::lock_guard lock(mutex_);
  if (const ImportPtr known = Lookup(key)) return ResultOf(*known);
  if (stopped_) return Error(StatusCode::kUnavailable, "the dashboard is stopping");
  if (idle_ <= waiting_.size() && threads_.size() < options_.at_once) {
    auto thread = StartBackgroundThread("sl-import", [this] { ThreadMain(); });
    if (!thread && threads_.empty()) return Error(thread.error());
    if (thread) threads_.push_back(*std::move(thread));  // Else the others do it, later.
  }
  const auto is_cancelled = [this](Import& import) {
    const std::lock_guard its_lock(mutex_);
    return CancelIfDue(import);
  };
  const auto import = std::make_shared<Import>(key, held, std::move(read), files_, is_cancelled);
  import->asked = options_.clock->MonotonicNanos();
  imports_.push_front(import);
  waiting_.push_back(import);
  wake_.notify_one();
  return ResultOf(*import);
}

BackgroundImports::ImportPtr BackgroundImports::NextWaiting() {
  while (!waiting_.empty()) {
    ImportPtr next = std::move(waiting_.front());
    waiting_.pop_front();
    if (!CancelIfDue(*next)) return next;
  }
  return nullptr;
}

std::vector<BackgroundImports::ImportPtr> BackgroundImports::TakeDropped() {
  std::vector<ImportPtr> dropped = std::exchange(outdated_, {});
  std::map<std::string_view, std::size_t> counts;
  for (const ImportPtr& one : imports_)
    if (one->state == Import::State::kRunning) ++counts[one->key.first];
  std::size_t errors = 0;
  for (auto at = imports_.begin(); at != imports_.end();) {
    const ImportPtr& one = *at;
    bool drop = false;
    if (one->state == Import::State::kDone) {
      const bool too_many =
          one->result ? ++counts[one->key.first] > one->held : ++errors > kHeldErrors;
      drop = too_many && (one->delivered || IsExpired(*one));
    }
    if (drop) dropped.push_back(one);
    at = drop ? imports_.erase(at) : std::next(at);
  }
  return dropped;
}

Result<BackgroundImports::AnyValue> BackgroundImports::Run(Import& import) {
  try {
    return import.read(import.files);
  } catch (const std::bad_alloc&) {
    return Error(StatusCode::kUnavailable, "there is not enough memory to read it");
  } catch (const std::exception& error) {
    return Error(StatusCode::kUnavailable, error.what());
  }
}

void BackgroundImports::ThreadMain() {
  // On Linux: for this thread and the threads that it starts. It does no harm if that is forbidden.
  (void)setpriority(PRIO_PROCESS, 0, kNice);
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    ImportPtr import = NextWaiting();
    if (import == nullptr) {
      ++idle_;
      wake_.wait(lock);
      --idle_;
      continue;
    }
    import->state = Import::State::kRunning;
    // Makes room before the import takes memory. Destroying takes long, too.
    std::vector<ImportPtr> dropped = TakeDropped();
    lock.unlock();
    dropped.clear();
    Result<AnyValue> result = Run(*import);
    import->read = nullptr;
    lock.lock();
    import->result = std::move(result);
    import->state = Import::State::kDone;
    import->done = options_.clock->MonotonicNanos();
    dropped = TakeDropped();
    lock.unlock();
    dropped.clear();
    import.reset();  // If it was cancelled, nobody else has it.
    lock.lock();
  }
}

}  // namespace sightline::dashboard
