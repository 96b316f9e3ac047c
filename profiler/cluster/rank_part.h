// The part of one rank in a cluster: what the ranks of a training are compared by.
//
//   RankPart part = MeasurePart(*ImportProfile(path, {.for_ranks = true}));
//
// It is a function of the rank's folder alone and small (kilobytes), so that the parts can be made
// where the files lie, and joined by one (cluster.h). Times are nanoseconds. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// One execution of a communication operator.
struct PartCommunication {
  std::optional<std::int64_t> step;
  std::string name;   // "hcom_allReduce__586_0_1": the same on all ranks of the group.
  std::string group;  // RankGroup::id; empty if the source does not tell.
  // What it does, "all-reduce", and the bytes that a bandwidth counts: the input of this rank, of
  // an all-gather the output. Empty and 0 if the source does not tell.
  std::string kind = {};
  std::int64_t bytes = 0;
  bool point_to_point = false;
  std::int64_t start = 0;  // By the clock of the rank's host; 0: unknown.
  std::int64_t duration = 0;
  std::int64_t rdma = 0;  // How long RDMA took of it.
  std::uint64_t retries = 0;
};

struct RankPart {
  RankUse use;       // Whose it is, and medians of its steps.
  std::string host;  // HOST_INFO, else the host in the folder's name; empty if neither has it.
  // HOST_INFO's number of the machine: hosts of one name may be several.
  std::string host_id;
  std::optional<std::int64_t> device;
  std::vector<DeviceUse> steps;  // Empty if the profile has no use of a device by step.
  std::vector<RankGroup> groups;
  std::vector<PartCommunication> communication;
  std::vector<PacketUse> packets;  // Sums over all steps, by transport and size.
};

RankPart MeasurePart(const Profile& profile);

// The sums of packets of the same transport and size, ordered by these.
std::vector<PacketUse> SumPackets(const std::vector<PacketUse>& packets);

// The host in the name of a profiler's folder, "<host>_<process>_<time>_ascend_pt"; else empty.
std::string HostInPath(std::string_view path);

}  // namespace sightline::profiler
