// MINDINSIGHT_HYPER_CONFIG: the environment variable through which MindInsight's hyper-parameter
// search hands a training its custom lineage, {"custom_lineage_data": {"lr": 0.1}}; other keys are
// MindInsight's own.
#pragma once

#include "sightline/base/status.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline {

// The pairs that the variable names; none where it is not set. kInvalidArgument for more than
// 100,000 bytes, what is no JSON object, and pairs that are neither text nor number. Any thread,
// while no other changes the environment.
Result<CustomLineage> CustomLineageOfEnvironment();

}  // namespace sightline
