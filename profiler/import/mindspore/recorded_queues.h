// Makes a data pipeline of the queues that a program recorded with Sightline's profiler
// (profiler::DataQueue, sightline.profiler.profile_dataset).
#pragma once

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Each queue becomes an operator; the one nearest to the training is the first. Each span of taking
// an element from that one becomes a batch, if the queue's depth was recorded. Empty if `model` has
// no queues.
DataPipeline RecordedQueues(const Model& model);

}  // namespace sightline::profiler
