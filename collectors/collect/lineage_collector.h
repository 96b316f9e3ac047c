// Makes lineage in the form of the files from the TrainInfo that a monitor receives.
#pragma once

#include <optional>
#include <span>

#include "sightline/collectors/collect/step_info.h"
#include "sightline/collectors/collect/train_info.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline {

// The lineage of a training. `last_loss` is the loss of the last step that had one. Fields that are
// empty or 0 in `info` are left out.
TrainLineage TrainLineageOf(const TrainInfo& info, std::optional<double> last_loss);

// The lineage of an evaluation. If two metrics have one name, the last one counts.
EvaluationLineage EvaluationLineageOf(std::span<const NamedScalar> metrics,
                                      const EvaluationInfo& info);

}  // namespace sightline
