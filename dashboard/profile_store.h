// ProfileStore: the profiles in and below the served directories, and those that were looked at
// last, read once.
//
// Callable from any thread. Profiles are read one at a time.
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
#include "sightline/dashboard/flow_arrows.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::dashboard {

struct ListedProfile {
  std::string id;  // As a run's: its path below the root, with several roots "<number>:<path>".
  std::string path;
  profile::SourceFormat format = profile::SourceFormat::kChromeTrace;
};

// What is worked out of a profile once.
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

  // In the order of the roots, then of the paths. Opens no file.
  std::vector<ListedProfile> List() const;

  // `rank`: of a folder that holds several; else the lowest. Read anew when one of its files
  // changed. kNotFound for what List() does not have, and the errors of ImportProfile.
  Result<std::shared_ptr<const ReadProfile>> Open(const std::string& id,
                                                  std::optional<std::int64_t> rank);

 private:
  struct Held {
    std::string id;
    std::optional<std::int64_t> rank;
    std::string stamp;  // Sizes and times of its files.
    std::shared_ptr<const ReadProfile> read;
  };
  static constexpr std::size_t kHeld = 2;  // As many as are compared.

  std::string StampOf(const profile::Profile& read) const;

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  std::mutex mutex_;
  std::deque<Held> held_;  // The one asked for last in front.
};

}  // namespace sightline::dashboard
