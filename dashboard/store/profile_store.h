// ProfileStore: finds the profiles in and below the served directories, and imports them in the
// background. The two that were asked for last stay in memory.
//
// May be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/dashboard/store/background_imports.h"
#include "sightline/dashboard/store/flow_arrows.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/cluster/cluster.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::dashboard {

struct ListedProfile {
  std::string id;  // Its path below the root; with several roots "<number of the root>:<path>".
  std::string path;
  profiler::SourceFormat format = profiler::SourceFormat::kChromeTrace;
};

// A profile, and everything that is computed from it once.
struct ReadProfile {
  explicit ReadProfile(profiler::Profile read)
      : profile(std::move(read)),
        timeline(profile.model),
        extent(Extent(profile.model)),
        arrows(FlowArrowsOf(profile.model)) {}
  ~ReadProfile() = default;
  ReadProfile(const ReadProfile&) = delete;
  ReadProfile& operator=(const ReadProfile&) = delete;

  const profiler::Profile profile;
  const profiler::TimelineIndex timeline;
  const profiler::TimeRange extent;
  const std::vector<FlowArrow> arrows;
};

struct ReadCluster {
  profiler::Cluster cluster;
  std::vector<profiler::UnreadRank> unread;  // With ids for paths.
};

class ProfileStore {
 public:
  // `roots` as the file system spells them. The file system and `imports` must outlive the store.
  ProfileStore(FileSystem& file_system, std::vector<std::string> roots, BackgroundImports& imports);

  // The profiles, in the order of the roots, then of the paths. Opens no file.
  std::vector<ListedProfile> List() const;

  // `rank`: the rank to read if a folder holds several; default: the lowest. kNotFound if List()
  // does not contain the profile, and the errors of ImportProfile.
  Result<Opened<ReadProfile>> Open(const std::string& id, std::optional<std::int64_t> rank);

  // The cluster of this profile and those next to it, each with all its ranks. They are read one
  // after the other, and none of them stays in memory. RankUse::path is the profile's id.
  Result<Opened<ReadCluster>> Cluster(const std::string& id);

 private:
  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  BackgroundImports& imports_;
};

}  // namespace sightline::dashboard
