#include "sightline/profiler/cluster/traffic_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kSlowLink = 0.7;
constexpr double kSmallOfSdma = 16e6;
constexpr double kSmallOfRdma = 1e6;
constexpr double kManySmall = 0.2;
constexpr std::int64_t kRetransmission = 4'000'000'000;

// The link in the other direction, if it is there.
std::string OppositeText(const std::vector<const LinkUse*>& links, const LinkUse& of) {
  const auto sides = SidesOfLink(of.link);
  if (!sides) return "";
  const std::string opposite = fmt::format("{}-{}", sides->second, sides->first);
  for (const LinkUse* link : links) {
    if (link->link == opposite)
      return fmt::format("; {} carries {:.2f} GB/s", opposite, link->bytes_per_second() / 1e9);
  }
  return "";
}

struct SlowLink {
  const LinkUse* link = nullptr;
  double typical = 0;  // Bytes a second of the others.
};

std::vector<SlowLink> SlowLinksAmong(const std::vector<const LinkUse*>& links) {
  std::vector<double> speeds;
  speeds.reserve(links.size());
  for (const LinkUse* link : links) speeds.push_back(link->bytes_per_second());
  std::sort(speeds.begin(), speeds.end());
  std::vector<SlowLink> slow;
  for (std::size_t i = 0; i < links.size() && links.size() > 1; ++i) {
    const double speed = links[i]->bytes_per_second();
    const double typical = MedianOfOthers(speeds, speed);
    if (speed < kSlowLink * typical) slow.push_back({links[i], typical});
  }
  std::stable_sort(slow.begin(), slow.end(), [](const SlowLink& a, const SlowLink& b) {
    return a.link->bytes_per_second() < b.link->bytes_per_second();
  });
  return slow;
}

void FindSlowLinks(const Cluster& cluster, std::vector<Finding>& findings) {
  std::map<std::string_view, std::vector<const LinkUse*>> transports;
  for (const LinkUse& link : cluster.links)
    if (IsJudged(link)) transports[link.transport].push_back(&link);
  for (const auto& [transport, links] : transports) {
    const std::vector<SlowLink> slow = SlowLinksAmong(links);
    if (slow.empty()) continue;
    const LinkUse& worst = *slow.front().link;
    std::string others;
    for (std::size_t i = 1; i < std::min<std::size_t>(slow.size(), 5); ++i)
      others += (i == 1 ? "; also slow: " : ", ") + slow[i].link->link;
    if (slow.size() > 5) others += fmt::format(" and {} more", slow.size() - 5);
    findings.push_back(
        {.rule = "slow-link",
         .subject = "link " + worst.link,
         .what = fmt::format("The link {} is slow.", worst.link),
         .evidence = fmt::format(
             "it carries {:.2f} GB/s by {}, the median of the others is {:.2f} GB/s{}{}",
             worst.bytes_per_second() / 1e9, transport, slow.front().typical / 1e9,
             OppositeText(links, worst), others),
         .change = "look at the cable, the port and the errors of the network card; the numbers "
                   "are the ranks from which and to which it sends"});
  }
}

bool IsSdma(std::string_view transport) {
  return transport == "SDMA" || transport == "HCCS" || transport == "PCIE" || transport == "SIO";
}

// Bytes, and nanoseconds of all links together.
struct Volume {
  double bytes = 0;
  double time = 0;
  void Add(const PacketUse& packets) {
    bytes += packets.bytes * static_cast<double>(packets.count);
    time += static_cast<double>(packets.time);
  }
  double gigabytes_per_second() const { return time > 0 ? bytes / time : 0; }
};

std::optional<Finding> FindSmallPackets(const Cluster& cluster, bool sdma) {
  const double limit = sdma ? kSmallOfSdma : kSmallOfRdma;
  Volume small;
  Volume large;
  for (const PacketUse& packets : cluster.packets) {
    if (sdma ? !IsSdma(packets.transport) : packets.transport != "RDMA") continue;
    (packets.bytes < limit ? small : large).Add(packets);
  }
  const double all = small.bytes + large.bytes;
  if (all < kLeastOfLink || small.bytes <= kManySmall * all) return std::nullopt;
  const std::string large_text =
      large.time > 0 ? fmt::format(", the larger ones at {:.2f} GB/s", large.gigabytes_per_second())
                     : "";
  const char* transport = sdma ? "SDMA" : "RDMA";
  return Finding{
      .rule = "small-packets",
      .subject = transport,
      .what = fmt::format("Much of what {} carries is in small packets.", transport),
      .evidence = fmt::format(
          "{:.0f} % of {:.2f} GB are in packets below {:.0f} MB (more than {:.0f} %); they go at "
          "{:.2f} GB/s{}",
          small.bytes / all * 100, all / 1e9, limit / 1e6, kManySmall * 100,
          small.gigabytes_per_second(), large_text),
      .change =
          "send fewer and larger messages: larger buckets of gradients, a larger batch, "
          "parameters that are gathered together (a larger ZeRO bucket)"};
}

std::optional<Finding> FindRetransmissions(const Cluster& cluster) {
  const PartCommunication* worst = nullptr;
  const ClusterRank* of = nullptr;
  std::size_t count = 0;
  for (const ClusterRank& rank : cluster.ranks) {
    for (const PartCommunication& one : rank.part.communication) {
      if (one.rdma < kRetransmission && one.retries == 0) continue;
      ++count;
      if (worst != nullptr &&
          std::pair(one.retries, one.rdma) <= std::pair(worst->retries, worst->rdma))
        continue;
      worst = &one;
      of = &rank;
    }
  }
  if (worst == nullptr) return std::nullopt;
  const std::string how =
      worst->retries > 0 ? fmt::format("sent packets again {} times", worst->retries)
                         : fmt::format("needed {:.1f} s of RDMA, and HCCL sends again after 4 s",
                                       static_cast<double>(worst->rdma) / 1e9);
  return Finding{
      .rule = "retransmission",
      .subject = NameOf(*of),
      .what = "Packets were lost and sent again.",
      .evidence = fmt::format("{} {} in step {}; {} such operators in all", worst->name, how,
                              worst->step ? std::to_string(*worst->step) : "-", count),
      .change =
          "look at the network of its host: the switch, the optical modules, flow "
          "control (PFC) and HCCL_RDMA_TIMEOUT"};
}

}  // namespace

std::vector<Finding> FindInTraffic(const Cluster& cluster) {
  std::vector<Finding> findings;
  FindSlowLinks(cluster, findings);
  for (const bool sdma : {true, false})
    if (auto found = FindSmallPackets(cluster, sdma)) findings.push_back(*std::move(found));
  if (auto found = FindRetransmissions(cluster)) findings.push_back(*std::move(found));
  return findings;
}

}  // namespace sightline::profiler
