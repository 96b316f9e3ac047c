#include "sightline/profiler/cluster/read_cluster.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/import/profile_search.h"

namespace sightline::profiler {
namespace {

template <typename Item>
void Append(std::vector<Item> from, std::vector<Item>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Ranks may share files.
void AddDamage(const std::vector<SourceFile>& files, std::vector<UnreadRank>& damage) {
  for (const SourceFile& file : files) {
    const bool is_known = std::any_of(damage.begin(), damage.end(),
                                      [&](const UnreadRank& one) { return one.path == file.path; });
    if (!file.status.ok() && !is_known)
      damage.push_back({file.path, std::string(file.status.message())});
  }
}

}  // namespace

std::vector<std::string> ProfilesOf(const std::vector<std::string>& paths,
                                    FileSystem& file_system) {
  std::vector<std::string> profiles;
  for (const std::string& path : paths) {
    const std::vector<FoundProfile> found = FindProfiles(path, &file_system);
    for (const FoundProfile& one : found) profiles.push_back(one.path);
    if (found.empty()) profiles.push_back(path);
  }
  return profiles;
}

ClusterParts ReadPart(const std::string& profile, FileSystem& file_system) {
  ClusterParts out;
  const ImportOptions options{.for_ranks = true, .file_system = &file_system};
  ImportRanks(profile, options, [&](const Result<Profile>& read) {
    if (!read) {
      out.unread.push_back({profile, std::string(read.error().message())});
      return;
    }
    AddDamage(read->files, out.damage);
    out.parts.push_back(MeasurePart(*read));
  });
  return out;
}

ClusterParts ReadParts(const std::vector<std::string>& profiles) {
  std::vector<ClusterParts> each(profiles.size());
  ForEachInParallel(profiles.size(), 0, [&](std::size_t i) { each[i] = ReadPart(profiles[i]); });
  ClusterParts all;
  for (ClusterParts& one : each) {
    Append(std::move(one.parts), all.parts);
    Append(std::move(one.unread), all.unread);
    Append(std::move(one.damage), all.damage);
  }
  return all;
}

}  // namespace sightline::profiler
