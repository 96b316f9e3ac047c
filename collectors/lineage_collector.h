// What a monitor is told of a training, as the lineage that the files hold.
#pragma once

#include <optional>
#include <span>

#include "sightline/collectors/step_info.h"
#include "sightline/collectors/train_info.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline {

// `last_loss`: of the last step that told its loss. What `info` leaves empty or 0 is left out.
TrainLineage TrainLineageOf(const TrainInfo& info, std::optional<double> last_loss);

// Of two metrics with one name the last counts.
EvaluationLineage EvaluationLineageOf(std::span<const NamedScalar> metrics,
                                      const EvaluationInfo& info);

}  // namespace sightline
