#include "sightline/watch/run_watch.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "sightline/base/digest/sha256.h"
#include "sightline/runs/model/counters.h"

namespace sightline::watch {
namespace {

constexpr std::size_t kIdDigits = 16;                // Of an event's id.
constexpr std::int64_t kHoldNanos = 60'000'000'000;  // Points that were just read stay so long.
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{64} << 20U;

FollowedRunsOptions FollowedOptions(const WatchOptions& options) {
  FollowedRunsOptions followed;
  followed.file_system = options.file_system;
  followed.clock = options.clock;
  followed.index_folder = options.index_folder;
  followed.join = options.join;
  followed.leave_large_unchecked = true;
  followed.bytes_at_once = kBytesAtOnce;
  return followed;
}

std::string EventId(const WatchState::Key& key, double time) {
  return Sha256Hex(fmt::format("{}\n{}\n{}\n{:.6f}", key.directory, key.rule, key.cause, time))
      .substr(0, kIdDigits);
}

// How many values a run of ours has beside counters, which go on while its training hangs. None
// where whatever is recorded is a sign of life: runs of other programs, and those that have no
// counters or nothing else.
std::optional<std::size_t> ValuesOfTraining(const Run& run) {
  if (!run.signs().ours) return std::nullopt;
  std::size_t values = 0;
  bool any_counter = false;
  for (const auto& series : run.series()) {
    const bool is_counter = IsCounter(*series);
    any_counter = any_counter || is_counter;
    if (!is_counter) values += series->size();
  }
  if (!any_counter || values == 0) return std::nullopt;
  return values;
}

// A root that is a run itself is ".", which says nothing in a message.
std::string NameOf(const Run& run, const std::string& directory) {
  return run.name() == "." ? std::string(BaseName(directory)) : run.name();
}

}  // namespace

RunWatch::RunWatch(WatchOptions options, WatchState& state)
    : options_(std::move(options)),
      state_(state),
      followed_(options_.roots, FollowedOptions(options_)),
      started_(options_.clock->WallSeconds()) {
  for (const auto& rule : options_.rules) {
    patience_ = std::max(patience_, rule->patience());
    if (rule->InRun() == nullptr) rules_of_disks_.push_back(rule);
  }
}

bool RunWatch::IsLive(const Run& run) const {
  const RunState state = run.State(*options_.clock);
  return state == RunState::kRunning || state == RunState::kStalled;
}

void RunWatch::Begin(const RunChange& change, bool history) {
  Growing growing;
  growing.directory = options_.file_system->AbsolutePath(change.run->directory());
  growing.history = history;
  growing.rules.reserve(options_.rules.size());
  for (const auto& rule : options_.rules) growing.rules.push_back(rule->InRun());
  growing_.insert_or_assign(change.name, std::move(growing));
}

void RunWatch::Note(const RunChange& change) {
  const auto name = names_.find(change.name);
  if (change.run == nullptr) {
    if (name != names_.end()) Forget(name->second);
    names_.erase(change.name);
    growing_.erase(change.name);
    return;
  }
  any_read_ = true;
  const Run& run = *change.run;
  for (const auto& rule : options_.rules) {
    if (!rule->tag().empty() && run.Find(ContentKind::kScalar, rule->tag()) != nullptr)
      tags_.emplace(rule->tag());
  }
  const std::string directory = options_.file_system->AbsolutePath(run.directory());
  names_.insert_or_assign(change.name, directory);
  if (change.kind == RunChange::Kind::kReplaced) growing_.erase(change.name);
  if (!growing_.contains(change.name)) {
    // A run that ended before the watch looked says nothing, unless it grew when a watch last did.
    const bool grew = state_.growing.contains(directory);
    const bool is_new = !first_ && change.kind == RunChange::Kind::kAppeared &&
                        run.first_wall_time().value_or(0) >= started_;
    if (!grew && !is_new && !IsLive(run)) return;
    Begin(change, !is_new);
  }
  Growing& growing = growing_.at(change.name);
  growing.run = change.run;
  growing.changed = true;
  const std::optional<std::size_t> recorded = ValuesOfTraining(run);
  if (!recorded || recorded != growing.recorded) growing.grew_at = options_.clock->MonotonicNanos();
  growing.recorded = recorded;
  growing.chosen = !options_.where || options_.where->Holds(run, *options_.clock);
}

Result<std::vector<WatchEvent>> RunWatch::Poll() {
  const RunFinder::News news = followed_.finder().Find();
  followed_.Read(news, [&](const std::vector<RunChange>& changes) {
    for (const RunChange& change : changes) Note(change);
    if (first_) ReleasePoints();
    return true;
  });
  std::vector<WatchEvent> events;
  for (auto at = growing_.begin(); at != growing_.end();)
    at = Ask(at->second, events) ? std::next(at) : growing_.erase(at);
  AskDisks(events);
  state_.growing.clear();
  for (const auto& [name, growing] : growing_) state_.growing.insert(growing.directory);
  if (first_) ForgetMissing();
  first_ = false;
  ReleasePoints();
  if (!news.status.ok() && events.empty()) return Error(news.status);
  return events;
}

bool RunWatch::Ask(Growing& growing, std::vector<WatchEvent>& events) {
  const Run& run = *growing.run;
  const auto silent =
      static_cast<double>(options_.clock->MonotonicNanos() - growing.grew_at) * 1e-9;
  const bool live = IsLive(run);
  const Look look{.run = run,
                  .state = run.State(*options_.clock),
                  .changed = std::exchange(growing.changed, false),
                  .history = std::exchange(growing.history, false),
                  .silent = silent,
                  .clock = *options_.clock};
  for (std::size_t i = 0; growing.chosen && i < growing.rules.size(); ++i) {
    if (growing.rules[i] == nullptr) continue;
    Tell(*options_.rules[i], NameOf(run, growing.directory), growing.directory,
         growing.rules[i]->Holding(look), events);
  }
  // Only of other programs' runs it is unknown whether they ended.
  return live || (!run.signs().ours && silent <= patience_);
}

void RunWatch::AskDisks(std::vector<WatchEvent>& events) {
  std::set<dev_t> seen;
  for (const std::string& root : options_.roots) {
    struct stat info {};
    if (stat(root.c_str(), &info) != 0 || !seen.insert(info.st_dev).second) continue;
    const std::string directory = options_.file_system->AbsolutePath(root);
    for (const auto& rule : rules_of_disks_) {
      const bool holds = state_.open.contains({directory, rule->text(), ""});
      std::vector<Cause> causes;
      if (auto cause = rule->OfDisk(root, holds)) causes.push_back(*std::move(cause));
      if (holds || !causes.empty()) Tell(*rule, root, directory, std::move(causes), events);
    }
  }
}

void RunWatch::Tell(const Rule& rule, const std::string& run, const std::string& directory,
                    std::vector<Cause> holding, std::vector<WatchEvent>& events) {
  const double now = options_.clock->WallSeconds();
  std::set<std::string> held;
  const auto tell = [&](const WatchState::Key& key, double since, bool over, Cause cause) {
    events.push_back(
        {EventId(key, since), now, over, rule.text(), run, directory, std::move(cause)});
  };
  for (Cause& cause : holding) {
    WatchState::Key key{directory, rule.text(), cause.id};
    held.insert(cause.id);
    const auto [at, is_new] = state_.open.try_emplace(key, WatchState::Held{cause.text, now});
    if (is_new) tell(key, now, false, std::move(cause));
  }
  const WatchState::Key first{directory, rule.text(), ""};
  for (auto at = state_.open.lower_bound(first); at != state_.open.end() &&
                                                 at->first.directory == directory &&
                                                 at->first.rule == rule.text();) {
    if (held.contains(at->first.cause)) {
      ++at;
      continue;
    }
    tell(at->first, at->second.since, true, {.id = at->first.cause, .text = at->second.text});
    at = state_.open.erase(at);
  }
}

// Of a run that was removed: nothing is over, there is only nothing more to say.
void RunWatch::Forget(const std::string& directory) {
  auto at = state_.open.lower_bound({directory, "", ""});
  while (at != state_.open.end() && at->first.directory == directory) at = state_.open.erase(at);
}

// What the state has about runs that were removed while no watch looked.
void RunWatch::ForgetMissing() {
  std::set<std::string> known;
  for (const auto& [name, directory] : names_) known.insert(directory);
  for (const std::string& root : options_.roots)
    known.insert(options_.file_system->AbsolutePath(root));
  std::erase_if(state_.open, [&](const auto& one) { return !known.contains(one.first.directory); });
}

// Points that were read go into the index and out of memory: soon if many runs were read for the
// first time, later if some grow.
void RunWatch::ReleasePoints() {
  followed_.WriteIndex();
  const std::int64_t now = options_.clock->MonotonicNanos();
  if (!any_read_ || (!first_ && now < release_at_)) return;
  any_read_ = false;
  release_at_ = now + kHoldNanos;
  for (const auto& [name, run] : followed_.ReleasePoints()) {
    if (const auto growing = growing_.find(name); growing != growing_.end())
      growing->second.run = run;
  }
  malloc_trim(0);
}

std::set<std::string> RunWatch::MissingTags() const {
  std::set<std::string> missing;
  for (const auto& rule : options_.rules) {
    if (!rule->tag().empty() && !tags_.contains(std::string(rule->tag())))
      missing.emplace(rule->tag());
  }
  return missing;
}

}  // namespace sightline::watch
