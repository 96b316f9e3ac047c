#include "sightline/profiler/cluster/rank_part.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/cluster/trace_collectives.h"

namespace sightline::profiler {
namespace {

// Takes "_<digits>" from the end, this many times.
bool TakeNumbersAtEnd(std::string_view& name, int count) {
  for (; count > 0; --count) {
    const std::size_t last = name.find_last_not_of("0123456789");
    if (last == std::string_view::npos || last + 1 == name.size() || name[last] != '_')
      return false;
    name = name.substr(0, last);
  }
  return true;
}

// The id of the group that a file names by its id or its communicator.
std::string IdOf(std::string named, const std::vector<RankGroup>& groups) {
  for (const RankGroup& group : groups)
    if (!named.empty() && group.communicator == named) return group.id;
  return named;
}

PartCommunication PartOf(const CommunicationUse& use, const std::vector<RankGroup>& groups) {
  PartCommunication part;
  const std::size_t at = use.name.rfind('@');
  part.step = use.step;
  part.name = use.name.substr(0, at);
  if (at != std::string::npos) part.group = IdOf(use.name.substr(at + 1), groups);
  part.point_to_point = use.point_to_point || use.name.find("batchSendRecv") != std::string::npos;
  part.start = use.start;
  part.duration = use.elapsed;
  part.retries = use.retries;
  for (const LinkUse& link : use.links)
    if (link.transport == "RDMA") part.rdma = AddTimes(part.rdma, link.time);
  return part;
}

}  // namespace

std::string HostInPath(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view end : {"_ascend_pt", "_ascend_ms"}) {
    if (!path.ends_with(end)) continue;
    path.remove_suffix(end.size());
    // Time, then the number of the process.
    if (TakeNumbersAtEnd(path, 2)) return std::string(path);
  }
  return "";
}

std::vector<PacketUse> SumPackets(const std::vector<PacketUse>& packets) {
  std::map<std::pair<std::string, double>, PacketUse> sums;
  for (const PacketUse& one : packets) {
    PacketUse& sum = sums[{one.transport, one.bytes}];
    sum.transport = one.transport;
    sum.bytes = one.bytes;
    sum.count += one.count;
    sum.time = AddTimes(sum.time, one.time);
  }
  std::vector<PacketUse> out;
  out.reserve(sums.size());
  for (auto& [key, sum] : sums) out.push_back(std::move(sum));
  return out;
}

RankPart MeasurePart(const Profile& profile) {
  RankPart part;
  const StepTable steps = AnalyzeSteps(profile);
  DeviceUseTable uses = MeasureDeviceUse(profile, steps);
  part.use = MeasureRank(profile, steps, uses);
  part.device = profile.device;
  for (const auto& [key, text] : profile.model.attributes) {
    if (key == "host") part.host = text;
    if (key == "host_uid") part.host_id = text;
  }
  if (part.host.empty()) part.host = HostInPath(profile.path);
  if (uses.of_device) part.steps = std::move(uses.steps);
  part.groups = profile.groups;
  std::vector<PacketUse> packets;
  for (const CommunicationUse& use : profile.communication) {
    if (use.elapsed > 0) part.communication.push_back(PartOf(use, part.groups));
    packets.insert(packets.end(), use.packets.begin(), use.packets.end());
  }
  part.packets = SumPackets(packets);
  AddCollectivesOfTrace(profile, steps, part);
  return part;
}

}  // namespace sightline::profiler
