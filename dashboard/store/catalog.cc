#include "sightline/dashboard/store/catalog.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/base/parallel.h"

namespace sightline::dashboard {
namespace {

constexpr double kPollSeconds = 1;
constexpr std::size_t kRunsAPublish = 64;  // At least, until all runs are read.
constexpr double kHoldSeconds = 60;
constexpr std::uint64_t kMostHeld = std::uint64_t{256} << 20U;

// "loss" itself, which MindSpore calls "loss/auto", then what ends in it, then what holds it.
int LossRank(std::string_view tag) {
  constexpr std::string_view kLoss = "loss", kAuto = "/auto";
  if (tag.ends_with(kAuto)) tag.remove_suffix(kAuto.size());
  if (tag == kLoss) return 3;
  if (tag.size() > kLoss.size() && tag.substr(tag.size() - kLoss.size()) == kLoss) return 2;
  return tag.find(kLoss) != std::string_view::npos ? 1 : 0;
}

CatalogRun Describe(std::shared_ptr<const Run> run, const Clock& clock) {
  CatalogRun described;
  described.name = RunId(run->name());
  described.state = run->State(clock);
  int best = 0;
  for (const auto& series : run->series()) {
    const bool first = described.points == 0;
    described.first_step =
        first ? series->first_step() : std::min(described.first_step, series->first_step());
    described.last_step =
        first ? series->last_step() : std::max(described.last_step, series->last_step());
    ++described.kinds[ContentKindName(series->key().kind)];
    described.ranks.insert(series->key().rank);
    described.points += series->size();
    if (!series->is_scalar()) continue;
    described.nonfinite += series->ExtremesOf(0, series->size()).nonfinite();
    if (const int rank = LossRank(series->key().tag); rank > best) {
      best = rank;
      described.objective = series->key().tag;
    }
  }
  for (const RunFile& file : run->files()) {
    described.damage += file.damage.size() + (file.status.ok() ? 0 : 1);
    described.unchecked += file.unchecked;
  }
  described.run = std::move(run);
  return described;
}

// Nothing if a page would show the same.
std::optional<CatalogChange::What> Difference(const CatalogRun& before, const CatalogRun& after) {
  const Run& old_run = *before.run;
  const Run& new_run = *after.run;
  bool same =
      before.points == after.points && before.damage == after.damage &&
      before.unchecked == after.unchecked && old_run.event_counts() == new_run.event_counts() &&
      old_run.lineage() == new_run.lineage() && old_run.files().size() == new_run.files().size();
  bool grew = before.points <= after.points &&
              old_run.superseded().size() == new_run.superseded().size() &&
              old_run.files().size() <= new_run.files().size();
  for (const RunFile& file : old_run.files()) {
    const auto at = std::find_if(new_run.files().begin(), new_run.files().end(),
                                 [&](const RunFile& other) { return other.path == file.path; });
    if (at == new_run.files().end() || at->bytes < file.bytes ||
        at->damage.size() < file.damage.size())
      grew = false;
    if (at == new_run.files().end() || at->records != file.records || at->bytes != file.bytes)
      same = false;
  }
  if (same && grew && before.state == after.state) return std::nullopt;
  if (same && grew) return CatalogChange::What::kState;
  return grew ? CatalogChange::What::kGrew : CatalogChange::What::kChanged;
}

FollowedRunsOptions FollowedOptions(const CatalogOptions& options) {
  FollowedRunsOptions followed;
  followed.file_system = options.file_system;
  followed.clock = options.clock;
  followed.index_folder = options.index_folder;
  followed.leave_large_unchecked = true;
  followed.back_off = true;
  followed.join = options.join;
  if (options.reading_bytes > 0) followed.bytes_at_once = options.reading_bytes;
  followed.number_roots = true;
  return followed;
}

// Whether its points are loaded from the index when they are asked for.
bool FromIndex(const Run& run) {
  return !run.series().empty() && run.series()[0]->source() != nullptr;
}

bool IsLive(RunState state) { return state == RunState::kRunning || state == RunState::kStalled; }

}  // namespace

const CatalogRun* CatalogSnapshot::Find(std::string_view id) const {
  const auto at = std::lower_bound(
      runs.begin(), runs.end(), id,
      [](const CatalogRun& run, std::string_view wanted) { return run.id < wanted; });
  return at != runs.end() && at->id == id ? &*at : parts->Find(runs, id);
}

const CatalogRun* CatalogParts::Find(const std::vector<CatalogRun>& runs, std::string_view id) {
  const std::lock_guard lock(mutex_);
  if (const auto known = found_.find(id); known != found_.end()) return &known->second;
  for (const CatalogRun& run : runs) {
    for (const RunPart& part : run.run->parts()) {
      if (RunId(part.id) != id) continue;
      CatalogRun described = Describe(part.run, clock_);
      described.id = id;
      return &found_.emplace(id, std::move(described)).first->second;
    }
  }
  return nullptr;
}

std::shared_ptr<const CatalogSnapshot> CatalogParts::Separate(const CatalogSnapshot& joined) {
  const std::lock_guard lock(mutex_);
  if (separate_ != nullptr) return separate_;
  auto separate = std::make_shared<CatalogSnapshot>();
  separate->generation = joined.generation;
  separate->loading = joined.loading;
  separate->cache = joined.cache;
  separate->parts = std::make_shared<CatalogParts>(clock_);
  for (const CatalogRun& run : joined.runs) {
    if (run.run->parts().empty()) separate->runs.push_back(run);
    for (const RunPart& part : run.run->parts()) {
      separate->runs.push_back(Describe(part.run, clock_));
      separate->runs.back().id = RunId(part.id);
    }
  }
  std::sort(separate->runs.begin(), separate->runs.end(),
            [](const CatalogRun& a, const CatalogRun& b) { return a.id < b.id; });
  return separate_ = std::move(separate);
}

Catalog::Catalog(const std::vector<std::string>& roots, const CatalogOptions& options)
    : options_(options),
      cache_(std::make_shared<SeriesCache>(options.points_bytes)),
      followed_(roots, FollowedOptions(options)),
      // It differs after a restart, so that pages notice.
      generation_(static_cast<std::uint64_t>(options.clock->WallSeconds()) * 1000),
      snapshot_(std::make_shared<CatalogSnapshot>()) {
  followed_.finder().Watch();
}

Catalog::~Catalog() { Stop(); }

std::shared_ptr<const CatalogSnapshot> Catalog::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

bool Catalog::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void Catalog::Note(const std::vector<RunChange>& part, CatalogChanges& changes) {
  std::vector<CatalogRun> described(part.size());
  ForEachInParallel(part.size(), 0, [&](std::size_t i) {
    if (part[i].run != nullptr) described[i] = Describe(part[i].run, *options_.clock);
  });
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::string id = RunId(part[i].name);
    described[i].id = id;
    if (part[i].run == nullptr) {
      runs_.erase(id);
      changes.runs.push_back({id, CatalogChange::What::kGone});
      continue;
    }
    if (described[i].unchecked > 0) unchecked_.push_back(id);
    any_read_ = any_read_ || !FromIndex(*part[i].run);
    const auto known = runs_.find(id);
    if (known == runs_.end()) {
      if (!FromIndex(*part[i].run)) read_bytes_ += BytesOfPoints(*part[i].run);
      runs_.emplace(id, std::move(described[i]));
      changes.runs.push_back({id, CatalogChange::What::kNew});
      continue;
    }
    if (const auto what = Difference(known->second, described[i]))
      changes.runs.push_back({id, *what});
    known->second = std::move(described[i]);
  }
}

void Catalog::NoteStates(CatalogChanges& changes) {
  for (auto& [id, run] : runs_) {
    if (!IsLive(run.state)) continue;
    const RunState state = run.run->State(*options_.clock);
    if (std::exchange(run.state, state) == state) continue;
    any_read_ = true;  // Now that it ended, it is written into the index.
    changes.runs.push_back({id, CatalogChange::What::kState});
  }
}

bool Catalog::Store() {
  followed_.WriteIndex();
  const double now = options_.clock->WallSeconds();
  if (std::exchange(any_read_, false) && !free_at_) free_at_ = now + kHoldSeconds;
  if (!free_at_) return false;
  if (options_.points_bytes == 0 && read_bytes_ <= kMostHeld && now < *free_at_) return false;
  free_at_.reset();
  read_bytes_ = 0;
  const auto released = followed_.ReleasePoints();
  for (const auto& [name, run] : released) runs_.at(RunId(name)).run = run;
  return !released.empty();
}

void Catalog::Poll(const Listener& listener) {
  const bool loading = snapshot()->loading;
  const bool little_memory = options_.points_bytes > 0;
  CatalogChanges changes;
  followed_.Read(followed_.finder().Find(), [&](const std::vector<RunChange>& part) {
    Note(part, changes);
    // Before the next runs are read. The freed pages were interleaved with live ones.
    if (little_memory && Store()) malloc_trim(0);
    if (changes.runs.size() >= std::max(kRunsAPublish, runs_.size() / 4))
      Publish(changes, loading, listener);
    return !stopping();
  });
  if (stopping()) return;
  NoteStates(changes);
  Publish(changes, false, listener);
  // After the snapshot was published: pages show the same before and after.
  if (Store()) {
    Show(Snapshot(false));
    malloc_trim(0);
  }
  CheckOne();
}

void Catalog::CheckOne() {
  while (!unchecked_.empty()) {
    const auto run = runs_.find(unchecked_.back());
    unchecked_.pop_back();
    if (run != runs_.end() && followed_.CheckLargeRecords(*run->second.run)) return;
  }
}

std::shared_ptr<CatalogSnapshot> Catalog::Snapshot(bool loading) const {
  auto next = std::make_shared<CatalogSnapshot>();
  next->generation = generation_;
  next->loading = loading;
  next->runs.reserve(runs_.size());
  for (const auto& [id, run] : runs_) next->runs.push_back(run);
  next->cache = cache_;
  next->parts = std::make_shared<CatalogParts>(*options_.clock);
  return next;
}

void Catalog::Show(std::shared_ptr<const CatalogSnapshot> snapshot) {
  const std::lock_guard lock(mutex_);
  snapshot_.swap(snapshot);
}

void Catalog::Publish(CatalogChanges& changes, bool loading, const Listener& listener) {
  if (changes.runs.empty() && snapshot()->loading == loading) return;
  ++generation_;
  Show(Snapshot(loading));
  changes.generation = generation_;
  changes.loading = loading;
  if (listener) listener(changes);
  changes.runs.clear();
}

Status Catalog::Start(Listener listener, std::function<void()> each_second) {
  auto thread = StartBackgroundThread(
      "sl-catalog", [this, listener = std::move(listener), each_second = std::move(each_second)] {
        std::unique_lock lock(mutex_);
        while (!stopping_) {
          lock.unlock();
          Poll(listener);
          each_second();
          lock.lock();
          wake_.wait_for(lock, std::chrono::duration<double>(kPollSeconds),
                         [this] { return stopping_; });
        }
      });
  if (!thread) return thread.error();
  thread_ = *std::move(thread);
  return {};
}

void Catalog::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace sightline::dashboard
