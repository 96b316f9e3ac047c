// What is wrong in a cluster, each with its evidence, its cause and what to do.
//
// For ranks whose profiles have the use of a device by step (NPUs). Compared are means over the
// steps; a rank's peers are the ranks of its stage, or, if these are fewer than four, all ranks as
// well: it must exceed both.
//
//   slow-stage      The devices of a pipeline's stage compute over 12 % longer than those of the
//                   other stages. Of a stage, the lower median of its ranks counts, so that one
//                   slow rank makes no slow stage.
//   slow-host       Three quarters of a host's ranks exceed those of the other hosts, and their
//                   median does so by a limit: 6 % of computing, or, of idle time and preparing
//                   together, 15 % of the others' (25 % if no other host has its stage) and 0.8 %
//                   of the step; or 2 ms and half as much again of preparing alone.
//   slow-rank       A rank's device computes over 6 % longer than those of its peers, in most of
//                   its steps over 3 %; or its idle time and preparing exceed theirs by 25 % and by
//                   3 % of the step. It must not come earlier at collectives than its peers.
//   slow-link       A link that carried 1 MB or more carries less than 70 % of the median of the
//                   other links of its transport in a second.
//   small-packets   Over 20 % of the bytes are in packets below 16 MB (SDMA: HCCS, PCIE, SIO) or
//                   1 MB (RDMA): msprof-analyze's limits.
//   retransmission  RDMA took 4 s or more in one operator (HCCL waits so long before it sends
//                   again), or the source counts packets that were sent again.
//
// The limits of time also grow with what the other ranks scatter: 2.5 times their deviation (the
// median absolute one, scaled). What a slow host or stage explains is no slow rank as well.
//
// For other ranks, the rules of ranks.h.
#pragma once

#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

// The slow ones first, those that cost most first; then links, packets and retransmissions.
std::vector<Finding> FindInCluster(const Cluster& cluster);

}  // namespace sightline::profiler
