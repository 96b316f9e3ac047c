// Made clusters: trainings of many ranks on NPUs whose cause of slowness is known.
//
// Each rank runs the tasks of its steps one after the other: preparing, then for each microbatch
// forward and backward, with kernels, gaps between them in which the device waits for its host,
// collectives of its tensor-parallel group, and sends and receives to the other stages; then the
// data-parallel group reduces the gradients, and all ranks together a flag. A collective begins for
// a rank when it comes and ends for all when the last one has come and everything is transferred.
// So the figures agree with each other: the tasks of a step sum up to its split, the links to the
// matrix, the packets to the bytes. Not real, and nothing of a real file is in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/rank_part.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::testing {

struct ClusterShape {
  int tensor = 2;  // Ranks of a tensor-parallel group, and so on.
  int data = 4;
  int pipeline = 2;
  int hosts_of = 8;  // Ranks on a host.
  int steps = 3;
  int ranks() const { return tensor * data * pipeline; }
};

// What is wrong. Defaults are a healthy cluster.
struct Causes {
  std::optional<int> slow_rank = std::nullopt;
  std::optional<int> slow_stage = std::nullopt;
  std::optional<int> slow_host = std::nullopt;  // Its gaps take `factor` times as long.
  std::optional<int> late_host = std::nullopt;  // It begins each step `late` later.
  bool late_in_first_gap = false;               // After the first kernel, not before it.
  std::optional<std::pair<int, int>> slow_link = std::nullopt;
  bool small_packets = false;
  double factor = 1;        // Of the slow rank's or stage's kernels, of gaps, of a link's time.
  std::int64_t late = 0;    // Nanoseconds.
  double heavier_last = 1;  // The last stage's kernels.
  std::vector<int> missing = {};  // Ranks whose profiles are not there.
};

// The profiles as the small files of a profiler give them, without the missing ranks.
std::vector<profiler::Profile> MakeCluster(const ClusterShape& shape, const Causes& causes,
                                           std::uint32_t seed);

// The same as parts.
std::vector<profiler::RankPart> PartsOf(const std::vector<profiler::Profile>& profiles);

// Writes the files of the profile below this folder, as torch_npu does: step_trace_time.csv,
// communication.json, communication_matrix.json, profiler_info_R.json, profiler_metadata.json.
void WriteRank(const profiler::Profile& profile, const std::string& folder);

}  // namespace sightline::testing
