#include "sightline/profiler/cluster/cluster_json.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/profiler/analysis/finding_json.h"

namespace sightline::profiler {
namespace {

using Json = nlohmann::ordered_json;

// Microseconds, as the profilers of NPUs write times.
double Us(double nanoseconds) { return nanoseconds / 1000; }
double Us(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

template <typename Number>
Json OrNull(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

void AddMeans(const StepMeans& means, Json& json) {
  json["step_us"] = Us(means.step);
  json["computing_us"] = Us(means.computing);
  json["communication_us"] = Us(means.communication);
  json["idle_us"] = Us(means.idle);
  json["preparing_us"] = Us(means.preparing);
  json["bubble_us"] = Us(means.bubble);
}

Json ToJson(const ClusterRank& rank) {
  const RankUse& use = rank.part.use;
  Json json = {{"rank", OrNull(use.rank)},
               {"path", use.path},
               {"host", rank.host.empty() ? Json() : Json(rank.host)},
               {"device", OrNull(rank.part.device)},
               {"stage", OrNull(use.stage)},
               {"steps", use.steps}};
  if (!rank.part.steps.empty()) {
    AddMeans(rank.means, json);
    json["own_us"] = Us(rank.means.own());
  } else if (use.has_data()) {
    json["step_us"] = Us(use.step);
    json["communication_us"] = Us(use.communication);
    json["own_us"] = Us(use.own());
  }
  if (use.knows_data_wait) json["data_wait_us"] = Us(use.data_wait);
  if (use.flops > 0) json["flops_per_second"] = use.flops;
  if (rank.votes.judged > 0) {
    json["collectives"] = {{"judged", rank.votes.judged},
                           {"last", rank.votes.last},
                           {"wait_us", Us(rank.votes.wait)},
                           {"late_us", Us(rank.votes.late)}};
  }
  return json;
}

Json RanksOf(const Cluster& cluster, const RankSet& set) {
  Json ranks = Json::array();
  for (const std::size_t i : set.ranks) ranks.push_back(OrNull(cluster.ranks[i].part.use.rank));
  return ranks;
}

Json SetsToJson(const Cluster& cluster, const std::vector<RankSet>& sets, const char* key) {
  Json json = Json::array();
  for (const RankSet& set : sets) {
    json.push_back({{key, set.name}, {"ranks", RanksOf(cluster, set)}});
    AddMeans(set.means, json.back());
  }
  return json;
}

// The rank's uses of the cluster's steps; null where it has none.
std::vector<const DeviceUse*> UsesOf(const ClusterRank& rank, const Cluster& cluster) {
  std::map<std::int64_t, const DeviceUse*> by_number;
  for (const DeviceUse& step : rank.part.steps)
    if (step.number) by_number.emplace(*step.number, &step);
  std::vector<const DeviceUse*> uses;
  uses.reserve(cluster.steps.size());
  for (const std::int64_t step : cluster.steps) {
    const auto found = by_number.find(step);
    uses.push_back(found == by_number.end() ? nullptr : found->second);
  }
  return uses;
}

// Ranks x steps: an array for each rank, an element for each step; null where the rank lacks it.
Json CellsToJson(const Cluster& cluster) {
  std::vector<std::vector<const DeviceUse*>> uses;
  uses.reserve(cluster.ranks.size());
  for (const ClusterRank& rank : cluster.ranks) uses.push_back(UsesOf(rank, cluster));
  Json json = Json::object();
  const auto add = [&](const char* key, std::int64_t DeviceUse::*part) {
    Json rows = Json::array();
    for (const auto& steps : uses) {
      Json row = Json::array();
      for (const DeviceUse* step : steps)
        row.push_back(step == nullptr ? Json() : Json(Us(step->*part)));
      rows.push_back(std::move(row));
    }
    json[key] = std::move(rows);
  };
  add("step_us", &DeviceUse::total);
  add("computing_us", &DeviceUse::computing);
  add("communication_us", &DeviceUse::communication_alone);
  add("idle_us", &DeviceUse::idle);
  add("preparing_us", &DeviceUse::preparing);
  add("bubble_us", &DeviceUse::bubble);
  return json;
}

Json ToJson(const ClusterGroup& group) {
  return {{"group", group.name},
          {"ranks", group.ranks},
          {"missing", group.missing},
          {"members_inferred", group.inferred},
          {"collectives", group.collectives},
          {"incomplete", group.incomplete},
          {"transfer_us", Us(group.transfer)},
          {"wait_us", Us(group.wait)},
          {"last", OrNull(group.last)},
          {"last_count", group.last_count},
          {"point_to_point", group.point_to_point},
          {"point_to_point_us", Us(group.point_to_point_time)}};
}

Json CollectivesToJson(const Cluster& cluster) {
  const std::uint64_t judged = cluster.collectives - cluster.incomplete - cluster.unknown_members;
  Json longest = Json::array();
  for (const ClusterCollective& one : cluster.longest) {
    longest.push_back({{"step", OrNull(one.step)},
                       {"name", one.name},
                       {"group", cluster.groups[one.group].name},
                       {"ranks", cluster.groups[one.group].ranks},
                       {"transfer_us", Us(one.transfer)},
                       {"wait_us", Us(one.wait)},
                       {"last", OrNull(one.last)}});
  }
  return {{"count", cluster.collectives},        {"judged", judged},
          {"incomplete", cluster.incomplete},    {"unknown_members", cluster.unknown_members},
          {"longest_waits", std::move(longest)}, {"left_out", judged - cluster.longest.size()}};
}

Json TrafficToJson(const Cluster& cluster) {
  Json json = Json::array();
  for (const CollectiveTraffic& one : cluster.traffic) {
    json.push_back({{"collective", one.kind},
                    {"group", cluster.groups[one.group].name},
                    {"ranks", cluster.groups[one.group].ranks},
                    {"bytes", one.bytes},
                    {"count", one.count},
                    {"transfer_us", Us(one.transfer)},
                    {"algbw_gb_per_s", one.algorithm_bandwidth() / 1e9},
                    {"busbw_gb_per_s", one.bus_bandwidth() / 1e9}});
  }
  return json;
}

Json LinksToJson(const Cluster& cluster) {
  Json json = Json::array();
  for (const LinkUse& link : cluster.links) {
    json.push_back({{"link", link.link},
                    {"transport", link.transport},
                    {"bytes", link.bytes},
                    {"us", Us(link.time)},
                    {"gb_per_s", link.time > 0 ? Json(link.bytes_per_second() / 1e9) : Json()}});
  }
  return json;
}

Json PacketsToJson(const Cluster& cluster) {
  Json json = Json::array();
  for (const PacketUse& one : cluster.packets) {
    const double bytes = one.bytes * static_cast<double>(one.count);
    json.push_back(
        {{"transport", one.transport},
         {"packet_bytes", one.bytes},
         {"count", one.count},
         {"us", Us(one.time)},
         {"gb_per_s", one.time > 0 ? Json(bytes / static_cast<double>(one.time)) : Json()}});
  }
  return json;
}

}  // namespace

Json ClusterToJson(const Cluster& cluster, const std::vector<Finding>& findings,
                   const std::vector<UnreadRank>& unread) {
  Json json;
  json["findings"] = Json::array();
  for (const Finding& one : findings) json["findings"].push_back(FindingToJson(one));
  json["ranks"] = Json::array();
  for (const ClusterRank& rank : cluster.ranks) json["ranks"].push_back(ToJson(rank));
  json["unreadable"] = Json::array();
  for (const UnreadRank& one : unread)
    json["unreadable"].push_back({{"path", one.path}, {"error", one.error}});
  json["missing_ranks"] = cluster.missing_ranks;
  json["steps"] = cluster.steps;
  json["cells"] = CellsToJson(cluster);
  json["hosts"] = SetsToJson(cluster, cluster.hosts, "host");
  json["stages"] = SetsToJson(cluster, cluster.stages, "stage");
  json["groups"] = Json::array();
  for (const ClusterGroup& group : cluster.groups) json["groups"].push_back(ToJson(group));
  json["collectives"] = CollectivesToJson(cluster);
  json["traffic"] = TrafficToJson(cluster);
  json["links"] = LinksToJson(cluster);
  json["packets"] = PacketsToJson(cluster);
  return json;
}

Json ClusterChangeToJson(const ClusterChange& change) {
  const auto means = [](const StepMeans& of) {
    Json json;
    AddMeans(of, json);
    json["own_us"] = Us(of.own());
    return json;
  };
  Json ranks = Json::array();
  for (const RankChange& one : change.ranks) {
    ranks.push_back({{"rank", one.rank},
                     {"before", means(one.before)},
                     {"after", means(one.after)},
                     {"stands_out", one.stands_out}});
  }
  return {{"ranks", std::move(ranks)},       {"only_before", change.only_before},
          {"only_after", change.only_after}, {"unknown", change.unknown},
          {"before", means(change.before)},  {"after", means(change.after)}};
}

Json EfficiencyToJson(const Efficiency& efficiency) {
  Json json = {{"step_us", Us(efficiency.step)}, {"ranks", efficiency.ranks}};
  if (efficiency.flops_per_second) json["flops_per_second"] = *efficiency.flops_per_second;
  if (efficiency.mfu) json["mfu"] = *efficiency.mfu;
  if (efficiency.tokens_per_second) json["tokens_per_second"] = *efficiency.tokens_per_second;
  return json;
}

}  // namespace sightline::profiler
