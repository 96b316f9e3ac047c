#include "sightline/dashboard/store/catalog.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline::dashboard {
namespace {

constexpr int kMaxDepth = 12;  // A link may lead round in a circle.
constexpr double kShortestLook = 1;
constexpr double kLongestLook = 5;
constexpr double kDirectoriesPerSecond = 100;  // More of them are looked at less often.
constexpr double kOpenShare = 10;              // Opening takes at most a tenth of the time.
constexpr double kTimeGrain = 2;               // Of what file systems note as a time, at worst.
constexpr std::size_t kRunsAPublish = 64;
constexpr double kHoldRead = 60;
constexpr std::uint64_t kMostRead = std::uint64_t{256} << 20U;

double Seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double Elapsed(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

bool IsJournalName(std::string_view name) { return name.substr(0, 19) == ".sightline-journal-"; }

// "loss" itself, which MindSpore calls "loss/auto", then what ends in it, then what holds it.
int LossRank(std::string_view tag) {
  constexpr std::string_view kLoss = "loss", kAuto = "/auto";
  if (tag.ends_with(kAuto)) tag.remove_suffix(kAuto.size());
  if (tag == kLoss) return 3;
  if (tag.size() > kLoss.size() && tag.substr(tag.size() - kLoss.size()) == kLoss) return 2;
  return tag.find(kLoss) != std::string_view::npos ? 1 : 0;
}

CatalogRun Describe(std::string id, std::shared_ptr<const Run> run, double now) {
  CatalogRun described;
  described.id = std::move(id);
  described.state = run->StateAt(now);
  int best = 0;
  for (const auto& series : run->series()) {
    described.points += series->size();
    if (!series->is_scalar()) continue;
    const Extremes all = series->ExtremesOf(0, series->size());
    described.nonfinite += all.nan_count + all.pos_inf_count + all.neg_inf_count;
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

// Nothing: the same as before.
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

// Whether its points are in the index, and not in memory until somebody asks for them.
bool HasSource(const Run& run) {
  return !run.series().empty() && run.series().front()->has_source();
}

bool IsLive(RunState state) { return state == RunState::kRunning || state == RunState::kStalled; }

}  // namespace

const CatalogRun* CatalogSnapshot::Find(std::string_view id) const {
  const auto at = std::lower_bound(
      runs.begin(), runs.end(), id,
      [](const CatalogRun& run, std::string_view wanted) { return run.id < wanted; });
  return at != runs.end() && at->id == id ? &*at : nullptr;
}

Catalog::Catalog(FileSystem& file_system, std::vector<std::string> roots, CatalogOptions options)
    : file_system_(file_system),
      roots_(std::move(roots)),
      options_(std::move(options)),
      cache_(std::make_shared<RunCache>(options_.points_bytes)),
      // Another one after a restart, so that pages notice.
      generation_(static_cast<std::uint64_t>(Seconds()) * 1000),
      snapshot_(std::make_shared<CatalogSnapshot>()) {
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    Directory root;
    root.id = roots_.size() == 1 ? "." : fmt::format("{}:.", i);
    root.root = i;
    if (!options_.index_folder.empty())
      indexes_.push_back(RunIndex::Open(file_system_, options_.index_folder, roots_[i]));
    directories_.emplace(roots_[i], std::move(root));
  }
}

Catalog::~Catalog() { Stop(); }

std::shared_ptr<const CatalogSnapshot> Catalog::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

void Catalog::ListDirectory(const std::string& path, Directory& directory, bool children,
                            double now) {
  const auto names = file_system_.List(path);
  directory.files.clear();
  if (!names) return;
  for (const std::string& name : *names) {
    const bool of_run = ParseEventFileName(name) || IsJournalName(name);
    if (of_run) directory.files.push_back(name);
    if (of_run || !children || directory.depth >= kMaxDepth) continue;
    const std::string child = JoinPath(path, name);
    if (directories_.count(child) > 0) continue;
    const auto info = file_system_.Stat(child);
    if (!info || !info->is_directory) continue;
    Directory below;
    below.root = directory.root;
    below.depth = directory.depth + 1;
    std::string prefix = directory.id;
    prefix.pop_back();  // "." or "0:."
    below.id = directory.depth == 0 ? prefix + name : directory.id + "/" + name;
    below.next_look = now;
    directories_.emplace(child, std::move(below));
  }
}

std::string Catalog::StampOf(const std::string& path, Directory& directory, double& newest) const {
  std::string stamp;
  directory.bytes = 0;
  for (const std::string& name : directory.files) {
    const auto info = file_system_.Stat(JoinPath(path, name));
    if (!info) continue;
    stamp += fmt::format("{}\n{} {}\n", name, info->size, info->modified_seconds);
    newest = std::max(newest, info->modified_seconds);
    directory.bytes += info->size;
  }
  return stamp;
}

void Catalog::Look(const std::string& path, Directory& directory, double now) {
  const auto info = file_system_.Stat(path);
  if (!info || !info->is_directory) {
    // A root may come back, and its absence is no reason to end.
    if (directory.depth > 0) removed_.push_back(path);
    directory.files.clear();
    directory.modified = -1;
  } else {
    // What lies in a run is listed each time, new directories are looked for after a change only.
    const bool changed =
        info->modified_seconds != directory.modified || now - info->modified_seconds < kTimeGrain;
    if (changed || !directory.files.empty()) ListDirectory(path, directory, changed, now);
    directory.modified = info->modified_seconds;
    directory.changed_at = std::max(directory.changed_at, std::min(now, info->modified_seconds));
  }
  double newest = directory.changed_at;
  std::string stamp = StampOf(path, directory, newest);
  const auto run = runs_.find(directory.id);
  const bool held = run != runs_.end() && run->second.run->signs().journal_held;
  if (stamp != directory.stamp || held) directory.dirty = true;
  if (stamp != directory.stamp && !directory.stamp.empty()) newest = now;
  directory.stamp = std::move(stamp);
  directory.changed_at = std::min(now, newest);
  const double longest =
      std::max(kLongestLook, static_cast<double>(directories_.size()) / kDirectoriesPerSecond);
  directory.next_look =
      now + (held ? kShortestLook
                  : std::clamp((now - directory.changed_at) / 10, kShortestLook, longest));
}

struct Catalog::Job {
  std::string path;
  Directory* directory = nullptr;
  Result<std::shared_ptr<const Run>> run = Error(StatusCode::kUnavailable, "");
  CatalogRun described;
  bool through_index = false;  // What was read is in the index, or about to be.
};

RunSource Catalog::SourceOf(const Directory& directory) const {
  if (indexes_.empty()) return {};
  // Its path below the root, as RunGroup names it there.
  const std::string& id = directory.id;
  return {indexes_[directory.root], roots_.size() == 1 ? id : id.substr(id.find(':') + 1)};
}

std::size_t Catalog::Together(const std::vector<Job>& jobs, std::size_t begin) const {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  while (begin + count < jobs.size() && count < kRunsAPublish) {
    bytes += jobs[begin + count].directory->bytes;
    if (count > 0 && options_.reading_bytes > 0 && bytes > options_.reading_bytes) break;
    ++count;
  }
  return count;
}

// On all cores.
void Catalog::Open(std::vector<Job>& jobs, std::size_t begin, std::size_t end, double now) {
  std::atomic<std::size_t> next = begin;
  const auto work = [&] {
    for (std::size_t i = next++; i < end; i = next++) {
      Job& job = jobs[i];
      Directory& directory = *job.directory;
      const auto start = std::chrono::steady_clock::now();
      auto& follower = directory.follower;
      if (!follower) {
        follower.emplace(file_system_, job.path, directory.id);
        RunSource source = SourceOf(directory);
        job.through_index = source.index != nullptr;
        follower->UseIndex(std::move(source.index), std::move(source.key));
        if (!directory.check) follower->LeaveLargeUnchecked();
      }
      job.run = follower->Refresh();
      // What grows from here on is put into the index by the next start.
      follower->UseIndex(nullptr, "");
      if (job.run) job.described = Describe(directory.id, *job.run, now);
      directory.open_seconds = Elapsed(start);
    }
  };
  std::vector<std::thread> helpers;
  const std::size_t threads =
      std::min<std::size_t>(std::thread::hardware_concurrency(), end - begin);
  for (std::size_t i = 1; i < threads; ++i) {
    auto helper = StartBackgroundThread("sl-open", work);
    if (helper) helpers.push_back(*std::move(helper));  // Else this thread does it alone.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  for (const auto& index : indexes_) index->EndReading();
}

void Catalog::Note(Job& job, double now, CatalogChanges& changes) {
  Directory& directory = *job.directory;
  directory.dirty = false;
  directory.next_open = now + std::max(kShortestLook, kOpenShare * directory.open_seconds);
  const auto known = runs_.find(directory.id);
  if (!job.run) {
    if (known == runs_.end()) return;
    runs_.erase(known);
    changes.runs.push_back({directory.id, CatalogChange::What::kGone});
    return;
  }
  if (job.described.unchecked > 0) unchecked_.push_back(job.path);
  if (HasSource(**job.run)) {
    job.described.source = SourceOf(directory);
  } else if (job.through_index) {
    unstored_.push_back(job.path);
  }
  if (known == runs_.end()) {
    runs_.emplace(directory.id, std::move(job.described));
    changes.runs.push_back({directory.id, CatalogChange::What::kNew});
  } else if (const auto what = Difference(known->second, job.described)) {
    known->second = std::move(job.described);
    changes.runs.push_back({directory.id, *what});
  } else if (HasSource(**job.run)) {
    known->second = std::move(job.described);  // The same, but for its points' memory.
  }
}

bool Catalog::OpenDirty(double now, const Listener& listener) {
  std::vector<Job> jobs;
  for (auto& [path, directory] : directories_) {
    if (directory.dirty && directory.next_open <= now) {
      Job job;
      job.path = path;
      job.directory = &directory;
      jobs.push_back(std::move(job));
    }
  }
  const bool first = snapshot()->loading;
  for (std::size_t begin = 0; begin < jobs.size();) {
    const std::size_t end = begin + Together(jobs, begin);
    Open(jobs, begin, end, now);
    CatalogChanges changes;
    for (std::size_t i = begin; i < end; ++i) {
      Note(jobs[i], now, changes);
      jobs[i] = Job();  // Which holds what was read.
    }
    // Where memory is short, before the next ones are read.
    if (options_.points_bytes > 0) {
      Store(now);
      malloc_trim(0);  // What was read lay between what stays.
    }
    Publish(changes, first, listener);
    begin = end;
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
  }
  return true;
}

void Catalog::Store(double now) {
  if (unstored_.empty()) return;
  for (const auto& index : indexes_) index->Write();
  for (const std::string& path : std::exchange(unstored_, {})) {
    const auto at = directories_.find(path);
    const auto known = at == directories_.end() ? runs_.end() : runs_.find(at->second.id);
    if (known == runs_.end() || IsLive(known->second.run->StateAt(now))) continue;
    RunSource source = SourceOf(at->second);
    const std::shared_ptr<const Run> read = known->second.run;
    auto stored = source.index->Find(source.key, path, known->first, read->stamp(), read);
    if (stored == nullptr) continue;
    if (options_.points_bytes == 0) {
      read_.push_back({now, BytesOfPoints(*read), read});
      read_bytes_ += read_.back().bytes;
    }
    known->second.run = stored;
    known->second.source = std::move(source);
    at->second.follower.emplace(file_system_, std::move(stored));
    stored_ = true;
  }
  for (const auto& index : indexes_) index->EndReading();
}

bool Catalog::LetGoOfRead(double now) {
  const std::size_t before = read_.size();
  while (!read_.empty() && (read_bytes_ > kMostRead || now - read_.front().since > kHoldRead)) {
    read_bytes_ -= read_.front().bytes;
    read_.pop_front();
  }
  return read_.size() != before;
}

void Catalog::NoteStates(double now, CatalogChanges& changes) {
  for (auto& [id, run] : runs_) {
    if (!IsLive(run.state)) continue;
    const RunState state = run.run->StateAt(now);
    if (state == run.state) continue;
    run.state = state;
    // Read once more by way of the index, so that its points need no memory.
    if (options_.points_bytes > 0 && !IsLive(state) && !HasSource(*run.run))
      ended_.push_back(run.run->directory());
    changes.runs.push_back({id, CatalogChange::What::kState});
  }
}

std::shared_ptr<CatalogSnapshot> Catalog::Snapshot(bool loading) const {
  auto next = std::make_shared<CatalogSnapshot>();
  next->generation = generation_;
  next->loading = loading;
  next->runs.reserve(runs_.size());
  for (const auto& [id, run] : runs_) next->runs.push_back(run);
  next->cache = cache_;
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
}

void Catalog::Poll(double now, const Listener& listener) {
  // Directories that are found are looked at in the same poll.
  std::set<std::string> seen;
  for (bool found = true; found;) {
    std::vector<std::string> due;
    for (const auto& [path, directory] : directories_)
      if (directory.next_look <= now && seen.insert(path).second) due.push_back(path);
    for (const std::string& path : due) Look(path, directories_.at(path), now);
    found = !due.empty();
  }
  CatalogChanges changes;
  for (const std::string& path : removed_) {
    const auto at = directories_.find(path);
    if (at == directories_.end()) continue;
    if (runs_.erase(at->second.id) > 0)
      changes.runs.push_back({at->second.id, CatalogChange::What::kGone});
    directories_.erase(at);
  }
  removed_.clear();
  for (const std::string& path : std::exchange(ended_, {})) {
    const auto at = directories_.find(path);
    if (at == directories_.end()) continue;
    at->second.follower.reset();
    at->second.dirty = true;
  }
  if (!OpenDirty(now, listener)) return;
  NoteStates(now, changes);
  Publish(changes, false, listener);
  // Nobody waits for this, and what is shown stays the same.
  Store(now);
  CheckOne();
  const bool stored = std::exchange(stored_, false);
  if (stored) {
    ForgetOthers();
    Show(Snapshot(false));
  }
  // What was read is let go of only now, and lay between what stays.
  if (LetGoOfRead(now) || stored) malloc_trim(0);
}

void Catalog::CheckOne() {
  while (!unchecked_.empty()) {
    const auto at = directories_.find(unchecked_.back());
    unchecked_.pop_back();
    if (at == directories_.end() || at->second.check) continue;
    at->second.check = true;
    at->second.follower.reset();
    at->second.dirty = true;
    return;
  }
}

void Catalog::ForgetOthers() {
  std::vector<std::set<std::string, std::less<>>> keys(indexes_.size());
  for (const auto& [path, directory] : directories_)
    if (runs_.count(directory.id) > 0) keys[directory.root].insert(SourceOf(directory).key);
  for (std::size_t i = 0; i < indexes_.size(); ++i) indexes_[i]->KeepOnly(keys[i]);
}

Status Catalog::Start(Listener listener, std::function<void()> each_second) {
  auto thread = StartBackgroundThread(
      "sl-catalog", [this, listener = std::move(listener), each_second = std::move(each_second)] {
        std::unique_lock lock(mutex_);
        while (!stopping_) {
          lock.unlock();
          Poll(Seconds(), listener);
          each_second();
          lock.lock();
          wake_.wait_for(lock, std::chrono::duration<double>(kShortestLook),
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
