#include "sightline/dashboard/store/profile_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline::dashboard {
namespace {

constexpr ImportKind<ReadProfile> kProfiles{"profile", 2};  // Enough for a comparison.
constexpr ImportKind<ReadCluster> kClusters{"cluster", 4};

Result<std::shared_ptr<const ReadProfile>> ReadInBackground(ImportFiles& files,
                                                            const std::string& path,
                                                            std::optional<std::int64_t> rank) {
  files.Expect(path);
  SIGHTLINE_ASSIGN_OR_RETURN(profiler::Profile read,
                             profiler::ImportProfile(path, {.rank = rank, .file_system = &files}));
  SIGHTLINE_RETURN_IF_ERROR(files.CheckCancelled());
  return std::make_shared<const ReadProfile>(std::move(read));
}

// The profiles in the folder of `of`. If it is alone there: those in the sibling folders.
std::vector<ListedProfile> NextTo(const std::vector<ListedProfile>& all, const ListedProfile& of) {
  const auto within = [&](const std::string& folder, int below) {
    std::vector<ListedProfile> found;
    for (const ListedProfile& other : all) {
      std::string above = DirectoryOf(other.path);
      if (below > 0) above = DirectoryOf(above);
      if (above == folder) found.push_back(other);
    }
    return found;
  };
  const std::string folder = DirectoryOf(of.path);
  std::vector<ListedProfile> found = within(folder, 0);
  return found.size() > 1 ? found : within(DirectoryOf(folder), 1);
}

Result<std::shared_ptr<const ReadCluster>> ReadRanksOf(ImportFiles& files,
                                                       const std::vector<ListedProfile>& profiles) {
  for (const ListedProfile& one : profiles) files.Expect(one.path);
  std::vector<profiler::RankPart> parts;
  auto out = std::make_shared<ReadCluster>();
  for (const ListedProfile& one : profiles) {
    profiler::ClusterParts read = profiler::ReadPart(one.path, files);
    SIGHTLINE_RETURN_IF_ERROR(files.CheckCancelled());
    for (profiler::RankPart& part : read.parts) {
      part.use.path = one.id;
      parts.push_back(std::move(part));
    }
    for (profiler::UnreadRank& unread : read.unread)
      out->unread.push_back({one.id, std::move(unread.error)});
  }
  out->cluster = profiler::JoinParts(std::move(parts));
  return out;
}

Result<ListedProfile> FindListed(const std::vector<ListedProfile>& all, const std::string& id) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ListedProfile& one) { return one.id == id; });
  if (found == all.end())
    return Error(StatusCode::kNotFound, fmt::format("there is no profile '{}'", id));
  return *found;
}

bool IsInTrash(std::string_view path) {
  return ("/" + std::string(path)).find(fmt::format("/{}/", kTrashFolder)) != std::string::npos;
}

}  // namespace

ProfileStore::ProfileStore(FileSystem& file_system, std::vector<std::string> roots,
                           BackgroundImports& imports)
    : file_system_(file_system), roots_(std::move(roots)), imports_(imports) {}

std::vector<ListedProfile> ProfileStore::List() const {
  std::vector<ListedProfile> listed;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    for (profiler::FoundProfile& found : profiler::FindProfiles(roots_[i], &file_system_)) {
      std::string below = found.path == roots_[i] ? "." : found.path.substr(roots_[i].size());
      below.erase(0, below.find_first_not_of('/'));
      if (IsInTrash(below)) continue;
      if (roots_.size() > 1) below = fmt::format("{}:{}", i, below);
      listed.push_back({std::move(below), std::move(found.path), found.format});
    }
  }
  return listed;
}

Result<Opened<ReadProfile>> ProfileStore::Open(const std::string& id,
                                               std::optional<std::int64_t> rank) {
  const std::string key = fmt::format("{}\n{}", id, rank ? fmt::to_string(*rank) : "");
  if (auto known = imports_.Find(kProfiles, key)) return *std::move(known);
  SIGHTLINE_ASSIGN_OR_RETURN(const ListedProfile listed, FindListed(List(), id));
  return imports_.Start(kProfiles, key, [path = listed.path, rank](ImportFiles& files) {
    return ReadInBackground(files, path, rank);
  });
}

Result<Opened<ReadCluster>> ProfileStore::Cluster(const std::string& id) {
  const std::vector<ListedProfile> all = List();
  SIGHTLINE_ASSIGN_OR_RETURN(const ListedProfile listed, FindListed(all, id));
  const std::vector<ListedProfile> profiles = NextTo(all, listed);
  // A profile that is new in the folder makes another key.
  std::string key;
  for (const ListedProfile& one : profiles) key += one.id + '\n';
  if (auto known = imports_.Find(kClusters, key)) return *std::move(known);
  return imports_.Start(kClusters, key,
                        [profiles](ImportFiles& files) { return ReadRanksOf(files, profiles); });
}

}  // namespace sightline::dashboard
