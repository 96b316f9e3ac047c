// Which ranks of a training do the same work. With pipeline stages, each stage has other layers, so
// its ranks take another time and have other losses than those of the next stage.
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series.h"

namespace sightline {

// The number of pipeline stages that the run's lineage names (pipeline_stage, pipeline_stages,
// pipeline_model_parallel_size or pp, also as the last part of a key with dots); 1 if it names
// none, or if the world size cannot be divided by it. The world size is that of the run's sessions;
// without them, it is the number of ranks, if these are 0, 1, 2, ... without a gap.
std::int32_t PipelineStagesOf(const Run& run);

// Divides the ranks of a tag by their stage, as MindSpore and Megatron number them: the first
// world_size / stages ranks are the first stage. Ranks beyond the world size are in the last one.
// No part is empty.
std::vector<std::vector<const Series*>> ByStage(const Run& run,
                                                std::span<const Series* const> ranks);

// With pipeline stages, MindFormers computes the loss on one rank and says that the `loss` of all
// others is not valid: on the last rank, or on rank 0 with the scheduler zero_bubble_v. That rank;
// none for other tags, for other programs, and without stages.
std::optional<std::int32_t> OnlyValidRank(const Run& run, std::string_view tag);

}  // namespace sightline
