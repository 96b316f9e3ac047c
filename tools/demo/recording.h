// The values that the demo gives to its SummaryMonitor: all kinds that a monitor can record.
#pragma once

#include "sightline/collectors/collect/step_info.h"
#include "sightline/collectors/collect/train_info.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/tools/demo/digits_trainer.h"

namespace sightline::demo {

// Options to record every step and every kind, and to export .npy files.
SummaryOptions RecordEverything(std::vector<Format> formats);

TrainInfo Describe(const DigitsTrainer& trainer);

// The network's training graph as viewers show it, a node for each operator.
Graph DescribeNetwork(DigitsTrainer& trainer);

// The last step's loss, accuracy, learning rate, batch, parameters and activations, borrowed from
// the trainer.
void FillStep(DigitsTrainer& trainer, StepInfo& info);

}  // namespace sightline::demo
