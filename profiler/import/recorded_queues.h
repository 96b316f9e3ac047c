// The queues that a program registered with Sightline's recorder (tracing::DataQueue,
// sightline.profiler.profile_dataset), as a data pipeline.
#pragma once

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// An operator for each queue, the one nearest to the training first; of that one a batch for each
// waiting for an element, where the queue's depth is known. Nothing where `model` has no queues.
DataPipeline RecordedQueues(const Model& model);

}  // namespace sightline::profile
