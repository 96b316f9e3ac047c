// The collectives of a rank by the kernels of its trace: NCCL's and RCCL's (torch.profiler).
#pragma once

#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/cluster/rank_part.h"

namespace sightline::profiler {

// Adds the collectives of the device, if the profile's own tables have none, and their groups.
//
// Ranks launch the collectives of a group in one order, so an execution is named by its kernel and
// its number within its group and step: "ncclDevKernel_AllReduce_Sum_f32_RING_LL 2". The group and
// its ranks are the kernel's arguments "Process Group Name" and "Process Group Ranks". Without
// these, older traces have one stream of collectives, whose group is all ranks of the training
// (distributedInfo); if there are several streams, nobody knows their groups. What is done, and
// with how many bytes, is "Collective name", "In msg nelems", "Out msg nelems" and "dtype".
void AddCollectivesOfTrace(const Profile& profile, const StepTable& steps, RankPart& part);

}  // namespace sightline::profiler
