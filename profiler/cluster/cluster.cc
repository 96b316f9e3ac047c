#include "sightline/profiler/cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

using Rank = std::int64_t;

StepMeans MeansOf(const std::vector<DeviceUse>& steps) {
  StepMeans means;
  if (steps.empty()) return means;
  const auto mean = [&](auto part) {
    double sum = 0;
    for (const DeviceUse& step : steps) sum += static_cast<double>(step.*part);
    return sum / static_cast<double>(steps.size());
  };
  means.step = mean(&DeviceUse::total);
  means.computing = mean(&DeviceUse::computing);
  means.communication = mean(&DeviceUse::communication_alone);
  means.idle = mean(&DeviceUse::idle);
  means.preparing = mean(&DeviceUse::preparing);
  means.bubble = mean(&DeviceUse::bubble);
  return means;
}

// The folder above the rank's own: "node1" of "a/node1/rank_3_ascend_pt"; empty if it has none.
std::string FolderAbove(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string above = DirectoryOf(path);
  return above == "." ? std::string() : std::string(BaseName(above));
}

// Names hosts apart that have one name. Where no rank knows its host, the folders above the ranks
// are the hosts, if there are several.
void NameHosts(std::vector<ClusterRank>& ranks) {
  std::map<std::string, std::set<std::string>> ids;
  std::set<std::string> folders;
  for (ClusterRank& one : ranks) {
    if (!one.part.host.empty()) ids[one.part.host].insert(one.part.host_id);
    folders.insert(FolderAbove(one.part.use.path));
  }
  const bool by_folder = ids.empty() && folders.size() > 1 && folders.size() < ranks.size();
  for (ClusterRank& one : ranks) {
    one.host = by_folder ? FolderAbove(one.part.use.path) : one.part.host;
    if (!one.host.empty() && !by_folder && ids[one.part.host].size() > 1)
      one.host = fmt::format("{} ({})", one.part.host, one.part.host_id);
  }
}

// The sets of ranks to which `name_of` gives the same name, in the order of their first ranks.
template <typename NameOfRank>
std::vector<RankSet> Sets(const std::vector<ClusterRank>& ranks, NameOfRank name_of) {
  std::vector<RankSet> sets;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    std::string name = name_of(ranks[i]);
    if (name.empty()) continue;
    const auto [place, is_new] = places.emplace(name, sets.size());
    if (is_new) sets.push_back({.name = std::move(name)});
    sets[place->second].ranks.push_back(i);
  }
  for (RankSet& set : sets) {
    std::vector<StepMeans> means;
    for (const std::size_t rank : set.ranks)
      if (!ranks[rank].part.steps.empty()) means.push_back(ranks[rank].means);
    set.means = MediansOf(means);
  }
  return sets;
}

// Collects what the ranks say of each group and of each execution of a collective.
class Joiner {
 public:
  explicit Joiner(Cluster& cluster) : cluster_(cluster) {
    for (std::size_t i = 0; i < cluster.ranks.size(); ++i)
      if (const auto rank = RankOf(i)) places_.emplace(*rank, i);
  }

  void Join() {
    for (std::size_t i = 0; i < cluster_.ranks.size(); ++i) {
      AddGroups(i);
      AddCommunication(i);
    }
    for (const auto& [key, members] : executions_) Judge(key, members);
    KeepLongest();
    FinishTraffic();
    for (std::size_t i = 0; i < cluster_.groups.size(); ++i) FinishGroup(i);
    cluster_.missing_ranks.assign(missing_.begin(), missing_.end());
  }

 private:
  struct Execution {
    std::optional<std::int64_t> step;
    std::string_view name;
    std::size_t group = 0;
    bool operator<(const Execution& other) const {
      return std::tie(group, step, name) < std::tie(other.group, other.step, other.name);
    }
  };
  struct Member {
    std::size_t rank = 0;  // In Cluster::ranks.
    std::int64_t duration = 0;
    const PartCommunication* told = nullptr;
  };
  // By id and, if the source lists them, members: ids are of one process, and may be others'
  // elsewhere.
  using GroupKey = std::pair<std::string, std::vector<Rank>>;

  std::optional<Rank> RankOf(std::size_t place) const {
    return cluster_.ranks[place].part.use.rank;
  }

  std::size_t PlaceOf(const RankGroup& group) {
    const GroupKey key(group.id, group.inferred ? std::vector<Rank>() : group.ranks);
    const auto [place, is_new] = groups_.emplace(key, cluster_.groups.size());
    if (is_new) {
      cluster_.groups.push_back({.name = group.name.empty() ? group.id : group.name,
                                 .ranks = key.second,
                                 .inferred = group.inferred});
      sizes_.push_back(key.second.size());
      lasts_.emplace_back();
    }
    if (group.inferred) sizes_[place->second] = std::max(sizes_[place->second], group.ranks.size());
    return place->second;
  }

  void AddGroups(std::size_t place) {
    for (const RankGroup& group : cluster_.ranks[place].part.groups) {
      if (group.ranks.size() > 1) PlaceOf(group);
      if (group.inferred) continue;
      for (const Rank rank : group.ranks)
        if (!places_.contains(rank)) missing_.insert(rank);
    }
  }

  void AddCommunication(std::size_t place) {
    const RankPart& part = cluster_.ranks[place].part;
    std::map<std::string_view, const RankGroup*> known;
    for (const RankGroup& group : part.groups) known.emplace(group.id, &group);
    for (const PartCommunication& one : part.communication) {
      const auto found = known.find(one.group);
      const RankGroup unknown{.id = one.group, .inferred = true};
      const RankGroup& group = found == known.end() ? unknown : *found->second;
      if (!group.inferred && group.ranks.size() < 2) continue;  // Nobody to wait for.
      const std::size_t number = PlaceOf(group);
      if (one.point_to_point) {
        ClusterGroup& out = cluster_.groups[number];
        ++out.point_to_point;
        out.point_to_point_time = AddTimes(out.point_to_point_time, one.duration);
        continue;
      }
      executions_[{one.step, one.name, number}].push_back({place, one.duration, &one});
    }
  }

  // Whether every member of the group is among these; counts it if not.
  bool IsComplete(const Execution& key, const std::vector<Member>& members) {
    ClusterGroup& group = cluster_.groups[key.group];
    ++cluster_.collectives;
    ++group.collectives;
    // An operator that a rank lists twice cannot be told apart.
    std::set<std::size_t> distinct;
    for (const Member& one : members) distinct.insert(one.rank);
    const std::size_t size = sizes_[key.group];
    if (size >= 2 && distinct.size() == members.size() && members.size() == size) return true;
    ++(size < 2 ? cluster_.unknown_members : cluster_.incomplete);
    ++group.incomplete;
    return false;
  }

  void Judge(const Execution& key, const std::vector<Member>& members) {
    if (!IsComplete(key, members)) return;
    const auto shorter = [](const Member& a, const Member& b) { return a.duration < b.duration; };
    const Member& last = *std::min_element(members.begin(), members.end(), shorter);
    ClusterGroup& group = cluster_.groups[key.group];
    group.transfer = AddTimes(group.transfer, last.duration);
    AddTraffic(key.group, members, last.duration);
    std::vector<std::int64_t> durations;
    durations.reserve(members.size());
    for (const Member& one : members) durations.push_back(one.duration);
    std::sort(durations.begin(), durations.end());
    for (const Member& one : members) {
      RankVotes& votes = cluster_.ranks[one.rank].votes;
      const std::int64_t wait = one.duration - last.duration;
      ++votes.judged;
      votes.wait = AddTimes(votes.wait, wait);
      votes.late += static_cast<double>(MedianOfOthers(durations, one.duration) - one.duration);
      group.wait = AddTimes(group.wait, wait);
    }
    ++cluster_.ranks[last.rank].votes.last;
    ++lasts_[key.group][last.rank];
    cluster_.longest.push_back({.step = key.step,
                                .name = std::string(key.name),
                                .group = key.group,
                                .transfer = last.duration,
                                .wait = durations.back() - last.duration,
                                .last = RankOf(last.rank)});
    if (cluster_.longest.size() >= 4 * kMostWaits) KeepLongest();
  }

  // Members that disagree about what they did or with how much leave it out.
  void AddTraffic(std::size_t group, const std::vector<Member>& members, std::int64_t transfer) {
    const PartCommunication& first = *members.front().told;
    const bool agree = std::all_of(members.begin(), members.end(), [&](const Member& one) {
      return one.told->kind == first.kind && one.told->bytes == first.bytes;
    });
    if (!agree || first.kind.empty() || first.bytes <= 0 || transfer <= 0) return;
    CollectiveTraffic& sum = traffic_[{group, first.kind, first.bytes}];
    sum.group = group;
    sum.kind = first.kind;
    sum.bytes = first.bytes;
    sum.members = members.size();
    sum.transfer = AddTimes(sum.transfer, transfer);
    ++sum.count;
  }

  void FinishTraffic() {
    for (auto& [key, sum] : traffic_) cluster_.traffic.push_back(std::move(sum));
    std::stable_sort(cluster_.traffic.begin(), cluster_.traffic.end(),
                     [](const auto& a, const auto& b) { return a.transfer > b.transfer; });
  }

  void KeepLongest() {
    std::stable_sort(cluster_.longest.begin(), cluster_.longest.end(),
                     [](const auto& a, const auto& b) { return a.wait > b.wait; });
    if (cluster_.longest.size() > kMostWaits) cluster_.longest.resize(kMostWaits);
  }

  void FinishGroup(std::size_t number) {
    ClusterGroup& group = cluster_.groups[number];
    for (const Rank rank : group.ranks)
      if (!places_.contains(rank)) group.missing.push_back(rank);
    for (const auto& [rank, count] : lasts_[number]) {
      if (count <= group.last_count) continue;
      group.last = RankOf(rank);
      group.last_count = count;
    }
  }

  Cluster& cluster_;
  std::map<Rank, std::size_t> places_;
  std::map<GroupKey, std::size_t> groups_;
  std::vector<std::size_t> sizes_;  // Of the groups; 0: unknown.
  std::vector<std::map<std::size_t, std::uint64_t>> lasts_;
  std::map<Execution, std::vector<Member>> executions_;
  std::map<std::tuple<std::size_t, std::string, std::int64_t>, CollectiveTraffic> traffic_;
  std::set<Rank> missing_;
};

// In the order of the ranks at their ends.
void SumTraffic(Cluster& cluster) {
  std::vector<LinkUse> links;
  std::vector<PacketUse> packets;
  for (const ClusterRank& rank : cluster.ranks) {
    const RankPart& part = rank.part;
    links.insert(links.end(), part.use.links.begin(), part.use.links.end());
    packets.insert(packets.end(), part.packets.begin(), part.packets.end());
  }
  cluster.links = SumLinks(links);
  std::stable_sort(
      cluster.links.begin(), cluster.links.end(),
      [](const LinkUse& a, const LinkUse& b) { return EndsOfLink(a.link) < EndsOfLink(b.link); });
  cluster.packets = SumPackets(packets);
}

void CollectSteps(Cluster& cluster) {
  std::set<std::int64_t> steps;
  for (const ClusterRank& rank : cluster.ranks) {
    for (const DeviceUse& step : rank.part.steps)
      if (step.number) steps.insert(*step.number);
  }
  cluster.steps.assign(steps.begin(), steps.end());
}

}  // namespace

StepMeans MediansOf(const std::vector<StepMeans>& ranks) {
  StepMeans medians;
  for (const auto part : {&StepMeans::step, &StepMeans::computing, &StepMeans::communication,
                          &StepMeans::idle, &StepMeans::preparing, &StepMeans::bubble}) {
    std::vector<double> values;
    values.reserve(ranks.size());
    for (const StepMeans& rank : ranks) values.push_back(rank.*part);
    medians.*part = Median(std::move(values));
  }
  return medians;
}

double CollectiveTraffic::algorithm_bandwidth() const {
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(bytes) * static_cast<double>(count) /
         (static_cast<double>(transfer) * kNanosecond);
}

double CollectiveTraffic::bus_bandwidth() const {
  const double others = static_cast<double>(members - 1) / static_cast<double>(members);
  double factor = 1;
  if (kind == "all-reduce") factor = 2 * others;
  if (kind == "all-gather" || kind == "reduce-scatter" || kind == "all-to-all") factor = others;
  return factor * algorithm_bandwidth();
}

Cluster JoinParts(std::vector<RankPart> parts) {
  Cluster cluster;
  std::vector<RankUse*> uses;
  uses.reserve(parts.size());
  for (RankPart& part : parts) uses.push_back(&part.use);
  ForgetSharedNames(uses);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const RankPart& a, const RankPart& b) { return ComesBefore(a.use, b.use); });
  for (RankPart& part : parts) {
    const StepMeans means = MeansOf(part.steps);
    cluster.ranks.push_back({.part = std::move(part), .host = "", .means = means, .votes = {}});
  }
  NameHosts(cluster.ranks);
  cluster.hosts = Sets(cluster.ranks, [](const ClusterRank& one) { return one.host; });
  cluster.stages = Sets(cluster.ranks, [](const ClusterRank& one) {
    return one.part.use.stage ? std::to_string(*one.part.use.stage) : std::string();
  });
  CollectSteps(cluster);
  Joiner(cluster).Join();
  SumTraffic(cluster);
  return cluster;
}

}  // namespace sightline::profiler
