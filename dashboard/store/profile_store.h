// ProfileStore: finds the profiles in and below the served directories, and keeps those that were
// asked for last in memory.
//
// May be called from any thread; profiles are read one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/dashboard/store/flow_arrows.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::dashboard {

struct ListedProfile {
  std::string id;  // Its path below the root; with several roots "<root's number>:<path>".
  std::string path;
  profile::SourceFormat format = profile::SourceFormat::kChromeTrace;
};

// A profile, and what is computed from it once.
struct ReadProfile {
  explicit ReadProfile(profile::Profile read)
      : profile(std::move(read)),
        timeline(profile.model),
        extent(ExtentOf(profile.model)),
        arrows(FlowArrowsOf(profile.model)) {}
  ReadProfile(const ReadProfile&) = delete;
  ReadProfile& operator=(const ReadProfile&) = delete;

  const profile::Profile profile;
  const profile::TimelineIndex timeline;
  const profile::TimeRange extent;
  const std::vector<FlowArrow> arrows;
};

class ProfileStore {
 public:
  // `roots` as the file system spells them; it must outlive the store.
  ProfileStore(FileSystem& file_system, std::vector<std::string> roots);

  // The profiles, in the order of the roots, then of the paths. Opens no file.
  std::vector<ListedProfile> List() const;

  // `rank`: which one, if a folder holds several; default: the lowest. If one of its files changed,
  // the profile is read again. kNotFound if List() does not have it, and the errors of
  // ImportProfile.
  Result<std::shared_ptr<const ReadProfile>> Open(const std::string& id,
                                                  std::optional<std::int64_t> rank);

 private:
  struct Held {
    std::string id;
    std::optional<std::int64_t> rank;
    std::string stamp;  // Sizes and times of its files.
    std::shared_ptr<const ReadProfile> read;
  };
  static constexpr std::size_t kHeld = 2;  // Enough for a comparison.

  std::string StampOf(const profile::Profile& read) const;

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  std::mutex mutex_;
  std::deque<Held> held_;  // The one that was asked for last is the first.
};

}  // namespace sightline::dashboard
