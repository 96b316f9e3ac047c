// Ranks: which process of a distributed training is which, by the environment and by names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline {

// The rank of this process, from the variables that launchers set: the first number that is at
// least 0 in RANK_ID, OMPI_COMM_WORLD_RANK, RANK, PMI_RANK and SLURM_PROCID. A process that
// MindSpore's scheduler started as a worker (MS_ROLE=MS_WORKER) may have MS_NODE_ID instead. No
// value: none is set. Not while another thread changes the environment.
std::optional<std::int64_t> RankOfEnvironment();

// The number of processes: the first number that is at least 1 in RANK_SIZE, OMPI_COMM_WORLD_SIZE,
// WORLD_SIZE, PMI_SIZE, SLURM_NTASKS and, for a worker of MindSpore, MS_WORKER_NUM. No value: none
// is set.
std::optional<std::int64_t> WorldSizeOfEnvironment();

// The rank that a file or a folder is named after: 11 of "rank_11", "rank11", "rank-11" and
// "run_rank_11". The number is the last part of the name, before an extension. No value: the name
// has no such part.
std::optional<std::int64_t> RankInName(std::string_view name);

// RankInName of the last component of `path` that has one; so of "/a/rank_3/trace.json" 3.
std::optional<std::int64_t> RankInPath(std::string_view path);

}  // namespace sightline
