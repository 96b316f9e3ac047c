// A cluster: the ranks of one training, joined.
//
//   Cluster cluster = JoinParts(std::move(parts));
//   for (const Finding& one : FindInCluster(cluster)) ...   // cluster_findings.h
//
// Who is waited for. The members of a group leave a collective together, so the one that came last
// spends the least time in it:
//   transfer  the smallest duration over the members
//   wait      a member's duration - transfer
//   last      the member with the smallest duration
// (msprof-analyze's definitions.) That holds only if every member is here; if one is missing,
// nobody is blamed, and the collective is counted as incomplete. Sends and receives are no
// collectives: who waits there waits for the other stage, and nobody is blamed.
//
// Functions are pure. Times are nanoseconds. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/rank_part.h"

namespace sightline::profiler {

// Means over the steps of a rank or of several ranks.
struct StepMeans {
  double step = 0;  // computing + communication + idle.
  double computing = 0;
  double communication = 0;  // While nothing is computed.
  double idle = 0;
  double preparing = 0;
  double bubble = 0;  // The part of communication that waited for another stage.

  // What the rank does by itself.
  double own() const { return computing + idle + preparing; }
};

// The median of each part; zeros for none.
StepMeans MediansOf(const std::vector<StepMeans>& ranks);

// What a rank did in the collectives of which every member is here.
struct RankVotes {
  std::uint64_t judged = 0;
  std::uint64_t last = 0;  // How often it was last.
  std::int64_t wait = 0;   // How long it waited for others.
  // How much later than the median of the other members it came; earlier counts negative.
  double late = 0;
};

struct ClusterRank {
  RankPart part;
  std::string host;  // Distinct for each machine; empty: unknown.
  StepMeans means;   // Of part.steps; zeros without steps.
  RankVotes votes;

  bool has_data() const { return !part.steps.empty() || part.use.has_data(); }
};

// Ranks that belong together: a host or a stage.
struct RankSet {
  std::string name = {};                // "node-3", "1"
  std::vector<std::size_t> ranks = {};  // In Cluster::ranks.
  StepMeans means = {};                 // Medians of its ranks with steps.
};

struct ClusterGroup {
  std::string name;                 // "dp"; the source's number of it if its use is unknown.
  std::vector<std::int64_t> ranks;  // Of the training.
  std::vector<std::int64_t> missing = {};
  bool inferred = false;          // RankGroup::inferred.
  std::uint64_t collectives = 0;  // Executions.
  std::uint64_t incomplete = 0;   // Of which not every member is here.
  std::int64_t transfer = 0;      // Sums over the others.
  std::int64_t wait = 0;          // Of all members together.
  std::uint64_t point_to_point = 0;
  std::int64_t point_to_point_time = 0;  // Of all members together.
  // The member that was last most often, and how often.
  std::optional<std::int64_t> last = std::nullopt;
  std::uint64_t last_count = 0;
};

// One execution of a collective of which every member is here.
struct ClusterCollective {
  std::optional<std::int64_t> step;
  std::string name;
  std::size_t group = 0;  // In Cluster::groups.
  std::int64_t transfer = 0;
  std::int64_t wait = 0;                            // Of the member that waited longest.
  std::optional<std::int64_t> last = std::nullopt;  // Rank.
};

// The executions of one collective of a group with as many bytes, of which every member is here.
struct CollectiveTraffic {
  std::size_t group = 0;      // In Cluster::groups.
  std::string kind;           // PartCommunication::kind.
  std::int64_t bytes = 0;     // Of each execution.
  std::uint64_t count = 0;    // Executions.
  std::int64_t transfer = 0;  // Their sum.
  std::uint64_t members = 0;  // Of the group.

  // Bytes a second: `bytes` by the transfer, as the caller sees it ("algbw"), and what a link has
  // to carry for it ("busbw"): that times 2(n-1)/n of an all-reduce, and (n-1)/n of an all-gather,
  // a reduce-scatter and an all-to-all. Source: nccl-tests, doc/PERFORMANCE.md.
  double algorithm_bandwidth() const;
  double bus_bandwidth() const;
};

struct Cluster {
  std::vector<ClusterRank> ranks;           // In the order of SortRanks.
  std::vector<std::int64_t> steps;          // Their numbers, of all ranks.
  std::vector<std::int64_t> missing_ranks;  // That groups name, and are not here.
  std::vector<RankSet> hosts;               // Empty if no rank knows its host.
  std::vector<RankSet> stages;              // Empty without a pipeline.
  std::vector<ClusterGroup> groups;
  std::vector<ClusterCollective> longest;  // The collectives with the longest waits: kMostWaits.
  std::uint64_t collectives = 0;           // Executions, all.
  std::uint64_t incomplete = 0;            // A member is missing.
  std::uint64_t unknown_members = 0;       // The files do not say who belongs to the group.
  std::vector<CollectiveTraffic> traffic;  // The longest transfer first; empty without sizes.
  std::vector<LinkUse> links;              // Sums of all ranks, in the order of ranks.
  std::vector<PacketUse> packets;          // Of all ranks, by transport and size.
};

inline constexpr std::size_t kMostWaits = 20;

// `parts`: of one training, in any order.
Cluster JoinParts(std::vector<RankPart> parts);

// "rank 11"; "the profile a/b" if the rank is unknown.
inline std::string NameOf(const ClusterRank& rank) { return NameOf(rank.part.use); }

}  // namespace sightline::profiler
