#include "sightline/runs/run_group.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sightline/runs/followed_runs.h"

namespace sightline {
namespace {

using Keyed = std::pair<QueryValue, std::shared_ptr<const Run>>;

// The runs with their values of an expression, sorted by it.
Result<std::vector<Keyed>> SortedByValue(std::span<const std::shared_ptr<const Run>> runs,
                                         std::string_view text, bool descending,
                                         const Clock& clock) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Query query, Query::Parse(text));
  std::vector<Keyed> keyed;
  keyed.reserve(runs.size());
  for (const auto& run : runs) keyed.emplace_back(query.Evaluate(*run, clock), run);
  std::stable_sort(keyed.begin(), keyed.end(), [descending](const Keyed& a, const Keyed& b) {
    return IsListedBefore(a.first, b.first, descending);
  });
  return keyed;
}

}  // namespace

std::optional<std::string> DefaultIndexFolder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return JoinPath(cache, "sightline/index");
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return JoinPath(home, ".cache/sightline/index");
  return std::nullopt;
}

RunGroup::RunGroup(const std::vector<std::string>& roots, const RunGroupOptions& options)
    : followed_(std::make_unique<FollowedRuns>(roots, FollowedRunsOptions{options, {}, {}})) {}
RunGroup::RunGroup(std::vector<std::shared_ptr<const Run>> runs) : runs_(std::move(runs)) {}
RunGroup::RunGroup(const RunGroup& other) : runs_(other.runs_) {}
RunGroup& RunGroup::operator=(const RunGroup& other) { return *this = RunGroup(other); }
RunGroup::RunGroup(RunGroup&& other) noexcept = default;
RunGroup& RunGroup::operator=(RunGroup&& other) noexcept = default;
RunGroup::~RunGroup() = default;

Result<RunGroup> RunGroup::Open(const std::vector<std::string>& roots,
                                const RunGroupOptions& options) {
  RunGroup group(roots, options);
  const RunFinder::News news = group.followed_->finder().Find();
  if (!news.status.ok()) return Error(news.status);
  group.followed_->Read(news, [](const auto& /*changes*/) { return true; });
  group.runs_ = group.followed_->runs();
  return group;
}

Result<RunGroup> RunGroup::Visit(
    const std::vector<std::string>& roots, const RunGroupOptions& options,
    const std::function<void(const std::shared_ptr<const Run>&)>& show) {
  RunGroup group(roots, options);
  const RunFinder::News news = group.followed_->finder().Find();
  if (!news.status.ok()) return Error(news.status);
  group.followed_->Read(news, [&](const std::vector<RunChange>& changes) {
    for (const RunChange& change : changes) show(change.run);
    group.followed_->Clear();
    return true;
  });
  return group;
}

Result<std::vector<RunChange>> RunGroup::Refresh() {
  if (followed_ == nullptr) {
    return Error(StatusCode::kFailedPrecondition,
                 "a group that was copied or chosen cannot be refreshed");
  }
  std::vector<RunChange> all;
  followed_->Read(followed_->finder().Find(), [&](const std::vector<RunChange>& changes) {
    all.insert(all.end(), changes.begin(), changes.end());
    return true;
  });
  if (!all.empty()) runs_ = followed_->runs();
  std::stable_sort(all.begin(), all.end(),
                   [](const RunChange& a, const RunChange& b) { return a.name < b.name; });
  return all;
}

void RunGroup::Watch() {
  if (followed_ != nullptr) followed_->finder().Watch();
}

int RunGroup::news_descriptor() const {
  return followed_ == nullptr ? -1 : followed_->finder().descriptor();
}

std::vector<std::string> RunGroup::WriteIndex() {
  return followed_ == nullptr ? std::vector<std::string>() : followed_->WriteIndex();
}

std::shared_ptr<const Run> RunGroup::Find(std::string_view name) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(),
                                  [&](const auto& run) { return run->name() == name; });
  if (found != runs_.end()) return *found;
  for (const auto& run : runs_)
    if (auto part = run->FindPart(name)) return part;
  return nullptr;
}

Result<RunGroup> RunGroup::Where(std::string_view text, const Clock& clock) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const Query query, Query::Parse(text));
  std::vector<std::shared_ptr<const Run>> chosen;
  for (const auto& run : runs_) {
    if (query.Holds(*run, clock)) chosen.push_back(run);
  }
  return RunGroup(std::move(chosen));
}

Result<RunGroup> RunGroup::Sorted(std::string_view text, bool descending,
                                  const Clock& clock) const {
  SIGHTLINE_ASSIGN_OR_RETURN(auto keyed, SortedByValue(runs_, text, descending, clock));
  std::vector<std::shared_ptr<const Run>> sorted;
  sorted.reserve(keyed.size());
  for (auto& [key, run] : keyed) sorted.push_back(std::move(run));
  return RunGroup(std::move(sorted));
}

Result<std::vector<RunsOfOneKey>> RunGroup::GroupedBy(std::string_view text,
                                                      const Clock& clock) const {
  SIGHTLINE_ASSIGN_OR_RETURN(auto keyed, SortedByValue(runs_, text, false, clock));
  std::vector<RunsOfOneKey> groups;
  for (auto& [key, run] : keyed) {
    const bool is_new = groups.empty() || QueryValueLess(groups.back().key, key) ||
                        QueryValueLess(key, groups.back().key);
    if (is_new) groups.push_back({std::move(key), RunGroup({})});
    groups.back().runs.runs_.push_back(std::move(run));
  }
  return groups;
}

Spread SpreadOf(const std::vector<QueryValue>& values) {
  std::vector<double> numbers;
  for (const QueryValue& value : values) {
    if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
  }
  return SpreadOfNumbers(numbers);
}

}  // namespace sightline
