// MINDINSIGHT_HYPER_CONFIG: the environment variable in which MindInsight's hyper-parameter search
// passes custom lineage to a training, as {"custom_lineage_data": {"lr": 0.1}}. Other keys are
// MindInsight's own.
#pragma once

#include "sightline/base/status.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline {

// The pairs in the variable; none if it is not set. kInvalidArgument if it has more than 100,000
// bytes or is no JSON object, or if a value is neither a text nor a number. Any thread, while no
// other one changes the environment.
Result<CustomLineage> CustomLineageOfEnvironment();

}  // namespace sightline
