#include "sightline/dashboard/store/profile_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/import/profile_search.h"

namespace sightline::dashboard {

ProfileStore::ProfileStore(FileSystem& file_system, std::vector<std::string> roots)
    : file_system_(file_system), roots_(std::move(roots)) {}

std::vector<ListedProfile> ProfileStore::List() const {
  std::vector<ListedProfile> listed;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    for (profile::FoundProfile& found : profile::FindProfiles(file_system_, roots_[i])) {
      std::string below = found.path == roots_[i] ? "." : found.path.substr(roots_[i].size());
      below.erase(0, below.find_first_not_of('/'));
      if (roots_.size() > 1) below = fmt::format("{}:{}", i, below);
      listed.push_back({std::move(below), std::move(found.path), found.format});
    }
  }
  return listed;
}

std::string ProfileStore::StampOf(const profile::Profile& read) const {
  std::string stamp;
  for (const profile::SourceFile& file : read.files) {
    const auto info = file_system_.Stat(file.path);
    stamp += info ? fmt::format("{} {}\n", info->size, info->modified_seconds) : "gone\n";
  }
  return stamp;
}

Result<std::shared_ptr<const ReadProfile>> ProfileStore::Open(const std::string& id,
                                                              std::optional<std::int64_t> rank) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
    return held.id == id && held.rank == rank;
  });
  if (known != held_.end()) {
    Held held = std::move(*known);
    held_.erase(known);
    if (held.stamp == StampOf(held.read->profile)) {
      held_.push_front(std::move(held));
      return held_.front().read;
    }
  }
  for (const ListedProfile& listed : List()) {
    if (listed.id != id) continue;
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(
        profile::Profile read, profile::ImportProfile(file_system_, listed.path, {.rank = rank}));
    std::string stamp = StampOf(read);
    if (held_.size() == kHeld) held_.pop_back();
    held_.push_front({id, rank, std::move(stamp), std::make_shared<ReadProfile>(std::move(read))});
    return held_.front().read;
  }
  return Error(StatusCode::kNotFound, fmt::format("profile '{}' is not there", id));
}

}  // namespace sightline::dashboard
