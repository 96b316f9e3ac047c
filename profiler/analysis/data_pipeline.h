// Reports on the data pipeline: how full the queues between its operators are, what the batches
// waited for, and what to change.
//
//   usage   mean number of elements in a queue / its capacity, 0..1
//   empty   samples in which the queue was empty / all samples
//
// An operator's own queue is the one that it fills; the queue before it is the one that it takes
// from. A source is an operator without others before it. Rules:
//   data-process      The host's queue was empty for more than 30 % of the batches: the pipeline is
//                     slower than the training (MindInsight, minddata_analyser:
//                     analyse_queue_summary).
//   data-transfer     Otherwise: the device's queue was empty at some step, so the transfer to the
//                     device is slower.
//   slow-operator     If any queue has a usage below 0.8: an operator whose queue has a usage lower
//                     by more than 0.1 than the queue before it, or a source whose queue has a
//                     usage below 0.6 (minddata_pipeline_analyser, thresholds [0.8, 0.6]). If all
//                     have 0.8 or more, and data-process holds: the last operator.
//   busy-processor    The machine was busy for more than 80 % of the time.
//   busy-operator     Each worker of an operator uses more than 75 % of a core.
//   idle-workers      Each of several workers uses less than 20 % of a core.
//   prefetch          Each worker uses less than 20 % of a core, and the queue before the operator
//                     has a usage below 0.1, or lower by more than 0.5 than its own. Only the
//                     operator nearest to the training is named.
//   leaf-queue        A source whose queue's usage is at most 0.5.
//   device-queue      The operator that sends to the device: the queue before it was empty for more
//                     than 60 % of the samples, or its usage is higher by more than 0.5 than that
//                     of its own.
// The last five are MindSpore's (minddata_analyzer: BottleneckAnalyzer). They leave out operators
// that only order or count: Barrier, Concat, EpochCtrl, Rename, Repeat, Shuffle, Skip, Take, Zip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct QueueUse {
  const PipelineOperator* of = nullptr;  // The operator that fills it.
  std::optional<double> usage;           // None if it has no queue.
  double average = 0;                    // Elements in the queue.
  double empty = 0;
};

struct Advice {
  std::string rule;
  std::string subject;   // "GeneratorOp_6"; empty for the pipeline as a whole.
  std::string evidence;  // What was measured, with numbers.
  std::string change;    // What to try.
};

struct DataReport {
  std::size_t batches = 0;
  std::size_t empty_batches = 0;  // Batches that found the host's queue empty.
  std::size_t full_batches = 0;   // Batches that found it full.
  double get_mean = 0;            // Nanoseconds, like the next two; see BatchRecord.
  double push_mean = 0;
  double total_mean = 0;
  std::size_t get_next = 0;  // Steps for which the device's queue is known.
  std::size_t empty_get_next = 0;
  std::optional<double> machine_busy;  // Percent.
  std::vector<QueueUse> queues;        // In the order of the operators.
  std::vector<Advice> advice;
};

// `profile` must outlive the report.
DataReport AnalyzeDataPipeline(const Profile& profile);

}  // namespace sightline::profiler
