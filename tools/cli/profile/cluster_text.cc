#include "sightline/tools/cli/profile/cluster_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "sightline/base/byte_size.h"
#include "sightline/base/text/rank_text.h"
#include "sightline/tools/cli/profile/cmd_profile.h"

namespace sightline {
namespace {

using profiler::Cluster;
using profiler::ClusterGroup;
using profiler::ClusterRank;
using profiler::Finding;
using profiler::LinkUse;
using profiler::RankSet;
using profiler::RankUse;
using profiler::StepMeans;
using enum Table::Align;

constexpr std::size_t kFewRanks = 32;   // All are listed.
constexpr std::size_t kOutliers = 8;    // Of more.
constexpr std::size_t kMostGroups = 8;  // The same for groups and collectives.

std::string Count(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string NumberOf(const ClusterRank& rank) {
  return rank.part.use.rank ? fmt::to_string(*rank.part.use.rank) : "-";
}

bool HasDeviceSteps(const Cluster& cluster) {
  return std::any_of(cluster.ranks.begin(), cluster.ranks.end(),
                     [](const ClusterRank& one) { return !one.part.steps.empty(); });
}

// "4 ranks on 2 hosts in 2 stages, 3 steps: computing 48 %, communication alone 30 %, idle 22 %"
std::string Headline(const Cluster& cluster) {
  std::string text = Count(cluster.ranks.size(), "rank");
  if (!cluster.hosts.empty()) text += " on " + Count(cluster.hosts.size(), "host");
  if (!cluster.stages.empty()) text += " in " + Count(cluster.stages.size(), "stage");
  if (!cluster.steps.empty()) text += ", " + Count(cluster.steps.size(), "step");
  const auto sum = [&](double StepMeans::*part) {
    double all = 0;
    for (const ClusterRank& one : cluster.ranks) all += one.means.*part;
    return all;
  };
  const double step = sum(&StepMeans::step);
  if (step > 0) {
    text += fmt::format(": computing {:.0f} %, communication alone {:.0f} %, idle {:.0f} %",
                        sum(&StepMeans::computing) / step * 100,
                        sum(&StepMeans::communication) / step * 100,
                        sum(&StepMeans::idle) / step * 100);
  }
  return text + "\n";
}

// What of a step's parts a table of ranks shows, and what of the ranks.
struct Column {
  const char* name;
  double StepMeans::*part;
};
constexpr std::array<Column, 6> kColumns = {{{"step", &StepMeans::step},
                                             {"computing", &StepMeans::computing},
                                             {"communication", &StepMeans::communication},
                                             {"idle", &StepMeans::idle},
                                             {"preparing", &StepMeans::preparing},
                                             {"bubble", &StepMeans::bubble}}};

// The columns of this cluster: without those that no rank knows.
struct Columns {
  explicit Columns(const Cluster& cluster)
      : stages(!cluster.stages.empty()), hosts(!cluster.hosts.empty()) {
    for (const Column& column : kColumns) {
      const bool is_known =
          std::any_of(cluster.ranks.begin(), cluster.ranks.end(),
                      [&](const ClusterRank& one) { return one.means.*column.part > 0; });
      if (is_known) parts.push_back(column);
    }
    votes = std::any_of(cluster.ranks.begin(), cluster.ranks.end(),
                        [](const ClusterRank& one) { return one.votes.judged > 0; });
  }

  // With these columns after the parts.
  Table NewTable(const std::string& first, const std::vector<std::string>& others) const {
    std::vector<std::pair<std::string, Table::Align>> columns = {{first, kRight}};
    for (const Column& column : parts) columns.emplace_back(column.name, kRight);
    for (const std::string& other : others) columns.emplace_back(other, kLeft);
    return {columns, 0};
  }

  Table NewRankTable() const {
    std::vector<std::string> others;
    if (votes) others.emplace_back("last");
    if (stages) others.emplace_back("stage");
    if (hosts) others.emplace_back("host");
    return NewTable("rank", others);
  }

  std::vector<std::string> Cells(std::string first, const StepMeans& means) const {
    std::vector<std::string> cells = {std::move(first)};
    for (const Column& column : parts) cells.push_back(FormatDuration(means.*column.part));
    return cells;
  }

  // Of a rank, those after its parts.
  void AddOthers(const ClusterRank& rank, std::vector<std::string>& cells) const {
    if (votes) {
      cells.push_back(rank.votes.judged == 0
                          ? "-"
                          : fmt::format("{} of {}", rank.votes.last, rank.votes.judged));
    }
    if (stages) cells.push_back(rank.part.use.stage ? fmt::to_string(*rank.part.use.stage) : "-");
    if (hosts) cells.push_back(rank.host.empty() ? "-" : Printable(rank.host));
  }

  std::vector<Column> parts;
  bool votes = false;
  bool stages = false;
  bool hosts = false;
};

void AddRank(const ClusterRank& rank, const Columns& columns, Table& table) {
  std::vector<std::string> cells = columns.Cells(NumberOf(rank), rank.means);
  if (rank.part.steps.empty()) {
    std::fill(cells.begin() + 1, cells.end(), "-");
    cells[1] = rank.has_data() ? FormatDuration(rank.part.use.step) : "no data";
  }
  columns.AddOthers(rank, cells);
  table.AddRow(std::move(cells));
}

// The ranks with the greatest distance from the median of what they do by themselves.
std::vector<const ClusterRank*> Outliers(const std::vector<const ClusterRank*>& ranks,
                                         double median) {
  std::vector<const ClusterRank*> sorted = ranks;
  const auto distance = [&](const ClusterRank* one) { return std::abs(one->means.own() - median); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto* a, const auto* b) { return distance(a) > distance(b); });
  sorted.resize(std::min(sorted.size(), kOutliers));
  return sorted;
}

// Least, median and greatest of each column. `median`: of what the ranks do by themselves.
void AddExtremes(const std::vector<const ClusterRank*>& ranks, const Columns& columns, Table& table,
                 double& median) {
  std::array<StepMeans, 3> rows;
  const auto sorted = [&](auto value) {
    std::vector<double> values;
    values.reserve(ranks.size());
    for (const ClusterRank* one : ranks) values.push_back(value(one->means));
    std::sort(values.begin(), values.end());
    return values;
  };
  for (const Column& column : columns.parts) {
    const std::vector<double> values =
        sorted([&](const StepMeans& means) { return means.*column.part; });
    rows[0].*column.part = values.front();
    rows[1].*column.part = values[values.size() / 2];
    rows[2].*column.part = values.back();
  }
  const std::vector<double> own = sorted([](const StepMeans& means) { return means.own(); });
  median = own[own.size() / 2];
  const std::array<const char*, 3> names = {"least", "median", "greatest"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = columns.Cells(names[i], rows[i]);
    cells.resize(cells.size() + (columns.votes ? 1U : 0U) + (columns.stages ? 1U : 0U) +
                 (columns.hosts ? 1U : 0U));
    table.AddRow(std::move(cells));
  }
}

std::string DeviceRanks(const Cluster& cluster, const Style& style) {
  const Columns columns(cluster);
  Table table = columns.NewRankTable();
  if (cluster.ranks.size() <= kFewRanks) {
    for (const ClusterRank& one : cluster.ranks) AddRank(one, columns, table);
    return table.ToString(style);
  }
  std::vector<const ClusterRank*> with_steps;
  for (const ClusterRank& one : cluster.ranks)
    if (!one.part.steps.empty()) with_steps.push_back(&one);
  double median = 0;
  AddExtremes(with_steps, columns, table, median);
  const std::vector<const ClusterRank*> outliers = Outliers(with_steps, median);
  for (const ClusterRank* one : outliers) AddRank(*one, columns, table);
  std::string text = table.ToString(style);
  text += fmt::format("{} more ranks are nearer to the median; --json lists all.\n",
                      with_steps.size() - outliers.size());
  const std::size_t without = cluster.ranks.size() - with_steps.size();
  if (without > 0) text += fmt::format("{} without steps: no data.\n", Count(without, "rank"));
  return text;
}

// Of profiles without a device.
std::string HostRanks(const Cluster& cluster, const Style& style) {
  Table table({{"rank", kRight},
               {"steps", kRight},
               {"step", kRight},
               {"own", kRight},
               {"waits for data", kRight},
               {"communication", kRight},
               {"share", kRight},
               {"profile", kLeft}},
              0);
  for (const ClusterRank& rank : cluster.ranks) {
    const RankUse& one = rank.part.use;
    if (!one.has_data()) {
      table.AddRow({NumberOf(rank), "no data", "", "", "", "", "", Printable(one.path)});
      continue;
    }
    table.AddRow({NumberOf(rank), fmt::to_string(one.steps), FormatDuration(one.step),
                  FormatDuration(one.own()),
                  one.knows_data_wait ? FormatDuration(one.data_wait) : "-",
                  FormatDuration(one.communication), FormatShare(one.communication_share()),
                  Printable(one.path)});
  }
  return table.ToString(style);
}

std::string SetsText(const Cluster& cluster, const std::vector<RankSet>& sets, const char* first,
                     const Style& style) {
  if (sets.size() < 2) return "";
  const Columns columns(cluster);
  Table table = columns.NewTable(first, {"ranks"});
  for (const RankSet& set : sets) {
    std::vector<std::int64_t> ranks;
    for (const std::size_t i : set.ranks)
      if (const auto rank = cluster.ranks[i].part.use.rank) ranks.push_back(*rank);
    std::vector<std::string> cells = columns.Cells(Printable(set.name), set.means);
    cells.push_back(RanksText(ranks));
    table.AddRow(std::move(cells));
  }
  return "\n" + table.ToString(style);
}

std::string GroupsText(const Cluster& cluster, const Style& style) {
  std::vector<const ClusterGroup*> groups;
  for (const ClusterGroup& group : cluster.groups)
    if (group.collectives + group.point_to_point > 0) groups.push_back(&group);
  if (groups.empty()) return "";
  std::stable_sort(groups.begin(), groups.end(), [](const auto* a, const auto* b) {
    return std::pair(a->wait, a->point_to_point_time) > std::pair(b->wait, b->point_to_point_time);
  });
  Table table({{"group", kLeft},
               {"collectives", kRight},
               {"transfer", kRight},
               {"waiting", kRight},
               {"last", kLeft},
               {"sends and receives", kRight},
               {"ranks", kLeft}},
              0);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
    const ClusterGroup& one = *groups[i];
    const bool judged = one.collectives > one.incomplete;
    std::string last = one.collectives == 0 ? "-" : "a rank is missing";
    if (one.inferred && !judged && one.collectives > 0) last = "not every rank is here";
    if (judged && one.last) {
      last = fmt::format("rank {}: {} of {}", *one.last, one.last_count,
                         one.collectives - one.incomplete);
    }
    table.AddRow({Printable(one.name), fmt::to_string(one.collectives),
                  judged ? FormatDuration(one.transfer) : "-",
                  judged ? FormatDuration(one.wait) : "-", std::move(last),
                  one.point_to_point > 0 ? FormatDuration(one.point_to_point_time) : "-",
                  RanksText(one.ranks)});
  }
  std::string text = "\n" + table.ToString(style);
  if (groups.size() > kMostGroups) {
    text +=
        fmt::format("{} more groups wait less; --json lists all.\n", groups.size() - kMostGroups);
  }
  return text;
}

std::string TrafficText(const Cluster& cluster, const Style& style) {
  if (cluster.traffic.empty()) return "";
  Table table({{"collective", kLeft},
               {"group", kLeft},
               {"size", kRight},
               {"count", kRight},
               {"transfer", kRight},
               {"algbw GB/s", kRight},
               {"busbw GB/s", kRight}},
              0);
  for (std::size_t i = 0; i < std::min(cluster.traffic.size(), kMostGroups); ++i) {
    const profiler::CollectiveTraffic& one = cluster.traffic[i];
    table.AddRow({Printable(one.kind), Printable(cluster.groups[one.group].name),
                  FormatByteSize(static_cast<std::uint64_t>(one.bytes)), fmt::to_string(one.count),
                  FormatDuration(one.transfer),
                  fmt::format("{:.2f}", one.algorithm_bandwidth() / 1e9),
                  fmt::format("{:.2f}", one.bus_bandwidth() / 1e9)});
  }
  std::string text = "\n" + table.ToString(style);
  if (cluster.traffic.size() > kMostGroups) {
    text += fmt::format("{} more take less time; --json lists all.\n",
                        cluster.traffic.size() - kMostGroups);
  }
  return text;
}

// "HCCS: 8 links, 18.93 to 19.13 GB/s"
std::string LinksText(const Cluster& cluster) {
  std::map<std::string, std::vector<double>> speeds;
  std::size_t small = 0;
  for (const LinkUse& link : cluster.links) {
    const auto sides = profiler::SidesOfLink(link.link);
    if (link.time == 0 || !sides || sides->first == sides->second) continue;
    if (link.bytes < profiler::kLeastOfLink) {
      ++small;
      continue;
    }
    speeds[link.transport].push_back(link.bytes_per_second() / 1e9);
  }
  std::string text;
  for (auto& [transport, values] : speeds) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    text += fmt::format("{}: {}, {:.2f} to {:.2f} GB/s\n", Printable(transport),
                        Count(values.size(), "link"), *least, *most);
  }
  if (small > 0) text += fmt::format("{} carried less than 1 MB\n", Count(small, "link"));
  return text.empty() ? text : "\n" + text;
}

std::string MissingText(const Cluster& cluster) {
  std::string text;
  if (!cluster.missing_ranks.empty()) {
    text += fmt::format("{} missing: {}.\n",
                        cluster.missing_ranks.size() == 1 ? "A rank is" : "Ranks are",
                        RanksText(cluster.missing_ranks));
  }
  const std::uint64_t unjudged = cluster.incomplete + cluster.unknown_members;
  if (unjudged > 0) {
    text += fmt::format(
        "Nobody is blamed for {} of {} collectives: {} lack a rank, {} do not say who their ranks "
        "are.\n",
        unjudged, cluster.collectives, cluster.incomplete, cluster.unknown_members);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string RanksText(const std::vector<std::int64_t>& ranks) {
  std::vector<std::int32_t> sorted;
  for (const std::int64_t rank : ranks) {
    if (rank >= 0 && rank <= std::numeric_limits<std::int32_t>::max())
      sorted.push_back(static_cast<std::int32_t>(rank));
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.empty()) return "-";
  const std::string text = RankText(sorted);
  return text.substr(text.find(' ') + 1);
}

std::string ClusterText(const Cluster& cluster, const std::vector<Finding>& findings,
                        const Style& style) {
  std::string text = Headline(cluster);
  text += "\n" + (findings.empty() ? std::string("No rank, stage, host or link stands out.\n")
                                   : FindingsText(findings, style));
  text += "\n";
  if (!HasDeviceSteps(cluster)) return text + HostRanks(cluster, style);
  text += DeviceRanks(cluster, style);
  text += SetsText(cluster, cluster.stages, "stage", style);
  text += SetsText(cluster, cluster.hosts, "host", style);
  text += GroupsText(cluster, style);
  text += TrafficText(cluster, style);
  return text + LinksText(cluster) + MissingText(cluster);
}

}  // namespace sightline
