// sightline._profiles: the base of python/sightline/profiles.py. Its types are in
// python/sightline/_profiles.pyi.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/cluster/cluster_findings.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/part_json.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;
// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

std::vector<std::string> ToPaths(const nb::list& paths) {
  std::vector<std::string> out;
  out.reserve(paths.size());
  for (const nb::handle path : paths) out.push_back(ToPath(path));
  return out;
}

nb::list FindProfiles(const nb::list& paths) {
  const std::vector<std::string> profiles = [&roots = paths] {
    const std::vector<std::string> given = ToPaths(roots);
    const nb::gil_scoped_release released;
    return profiler::ProfilesOf(given);
  }();
  nb::list out;
  for (const std::string& profile : profiles) out.append(FromPath(profile));
  return out;
}

std::string ReadParts(const nb::list& profiles) {
  const std::vector<std::string> given = ToPaths(profiles);
  const nb::gil_scoped_release released;
  return profiler::PartsToJson(profiler::ReadParts(profiler::ProfilesOf(given)));
}

template <typename Item>
void Append(std::vector<Item> from, std::vector<Item>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Result<profiler::ClusterParts> Together(const std::vector<std::string>& texts) {
  profiler::ClusterParts all;
  for (const std::string& text : texts) {
    auto read = profiler::PartsFromJson(text);
    if (!read) return Error(read.error());
    Append(std::move(read->parts), all.parts);
    Append(std::move(read->unread), all.unread);
    Append(std::move(read->damage), all.damage);
  }
  return all;
}

// (the cluster as JSON, what is wrong with the files of its ranks)
std::pair<std::string, std::vector<std::pair<std::string, std::string>>> JoinParts(
    const std::vector<std::string>& texts) {
  auto joined = [&]() -> Result<std::pair<std::string, profiler::ClusterParts>> {
    const nb::gil_scoped_release released;
    auto all = Together(texts);
    if (!all) return Error(all.error());
    const profiler::Cluster cluster = profiler::JoinParts(std::move(all->parts));
    std::string text =
        JsonLine(profiler::ClusterToJson(cluster, profiler::FindInCluster(cluster), all->unread));
    return std::pair(std::move(text), *std::move(all));
  }();
  if (!joined) RaiseIfError(joined.error());
  std::vector<std::pair<std::string, std::string>> damage;
  damage.reserve(joined->second.damage.size());
  for (profiler::UnreadRank& one : joined->second.damage)
    damage.emplace_back(std::move(one.path), std::move(one.error));
  return {std::move(joined->first), std::move(damage)};
}

}  // namespace

NB_MODULE(_profiles, m) {
  m.doc() = "The extension module of sightline.profiles; use that instead.";
  m.def("find_profiles", &FindProfiles, "paths"_a,
        "The profiles in and below these paths. A path without one is in the list as it is.");
  m.def("read_parts", &ReadParts, "paths"_a,
        "What a cluster needs of these profiles and of those below these paths, as JSON.");
  m.def(
      "join_parts", &JoinParts, "parts"_a,
      "The cluster that these parts are together, as JSON, and the path and error of each damaged "
      "file.");
}

}  // namespace sightline::python
