// The data pipeline: queues between its operators, what each batch waited for, and advice.
//
//   usage   mean of a queue's samples / its capacity, 0..1
//   empty   samples with nothing in the queue / samples
//
// Rules, each with its source; none is ever hidden because of another (MindInsight hides most):
//   data-process      the host queue was empty for more than 30 % of the batches: the pipeline is
//                     slower than the training (MindInsight, minddata_analyser:
//                     analyse_queue_summary)
//   data-transfer     else, where the device's queue is known: it was empty at some step: the way
//                     to the device is slower
//   slow-operator     a queue that is emptier than the one in front of it by more than 0.1, where
//                     not all are at least 0.8 full; or a source whose queue is below 0.6
//                     (minddata_pipeline_analyser, thresholds [0.8, 0.6]); or the last operator,
//                     where all queues are at least 0.8 full and data-process fires
//   busy-processor    the machine was busy for more than 80 % of the time
//   busy-operator     more than 75 % of a core for each of an operator's workers
//   idle-workers      less than 20 % of a core for each of several workers
//   prefetch          less than 20 % of a core a worker, and a queue in front that is less than 0.1
//                     full, or emptier than its own by more than 0.5; the nearest to the training
//   leaf-queue        a source whose queue is at most 0.5 full
//   device-queue      the operator that sends to the device: the queue in front of it was empty for
//                     more than 60 % of the samples, or is fuller than its own by more than 0.5
// The last five are MindSpore's (minddata_analyzer: BottleneckAnalyzer); they look at no operator
// that only orders or counts (Barrier, Concat, EpochCtrl, Rename, Repeat, Shuffle, Skip, Take,
// Zip).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct QueueUse {
  const PipelineOperator* of = nullptr;  // The operator that fills it.
  std::optional<double> usage;           // Nothing where it has no queue.
  double average = 0;
  double empty = 0;
};

struct Advice {
  std::string rule;
  std::string subject;   // "GeneratorOp_6"; empty for the pipeline as a whole.
  std::string evidence;  // With its numbers.
  std::string change;    // What to try.
};

struct DataReport {
  std::size_t batches = 0;
  std::size_t empty_batches = 0;  // That found the host queue empty.
  std::size_t full_batches = 0;
  double get_mean = 0;  // Nanoseconds.
  double push_mean = 0;
  double total_mean = 0;
  std::size_t get_next = 0;
  std::size_t empty_get_next = 0;
  std::optional<double> machine_busy;  // Percent.
  std::vector<QueueUse> queues;        // In the order of the operators.
  std::vector<Advice> advice;
};

// `profile` must outlive the report.
DataReport DataPipelineOf(const Profile& profile);

}  // namespace sightline::profile
