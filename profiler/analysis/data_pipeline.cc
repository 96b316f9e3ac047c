#include "sightline/profiler/analysis/data_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace sightline::profiler {
namespace {

constexpr double kEmptyShare = 0.3;
constexpr double kHighUsage = 0.8;
constexpr double kLowUsage = 0.6;
constexpr double kUsageDrop = 0.1;
constexpr double kBusyMachine = 80;
constexpr double kBusyWorker = 75;
constexpr double kIdleWorker = 20;
constexpr double kLeafUsage = 0.5;
constexpr double kEmptyInput = 0.1;
constexpr double kQueueDifference = 0.5;
constexpr double kEmptyDeviceInput = 0.6;

std::string OperatorName(const PipelineOperator& one) {
  return fmt::format("{}_{}", one.type, one.id);
}

QueueUse MeasureQueue(const PipelineOperator& one) {
  QueueUse use;
  use.of = &one;
  if (one.queue_capacity <= 0 || one.queue_sizes.empty()) return use;
  double sum = 0;
  std::size_t empty = 0;
  for (const std::int64_t size : one.queue_sizes) {
    sum += static_cast<double>(size);
    empty += size == 0 ? 1 : 0;
  }
  const auto samples = static_cast<double>(one.queue_sizes.size());
  use.average = sum / samples;
  use.usage = use.average / static_cast<double>(one.queue_capacity);
  use.empty = static_cast<double>(empty) / samples;
  return use;
}

// What to change about a slow operator, by its type.
std::string ChangeFor(const PipelineOperator& one) {
  const auto is = [&](std::string_view type) { return one.type.starts_with(type); };
  if (is("Generator"))
    return "change num_parallel_workers, or replace the generator by MindRecordDataset";
  if (is("Map"))
    return "change num_parallel_workers; optimise the function, above all if it is in Python";
  if (is("Batch")) return "change prefetch_size";
  if (one.children.empty()) return "change num_parallel_workers of the data set";
  return "change num_parallel_workers, or the operators before it";
}

// Only the first ones, since a forged file may have any number.
std::span<const std::int64_t> Children(const PipelineOperator& one) {
  constexpr std::size_t kMost = 32;
  return std::span(one.children).first(std::min(one.children.size(), kMost));
}

// Adds the usages of the queues before this operator. If an operator before it has no queue, those
// before that operator count.
void UsagesBefore(const DataReport& report, const PipelineOperator& one, std::size_t depth,
                  std::vector<double>& usages) {
  constexpr std::size_t kMaxDepth = 32;  // A forged file may have a cycle.
  if (depth > kMaxDepth) return;
  for (const std::int64_t child : Children(one)) {
    const auto found = std::find_if(report.queues.begin(), report.queues.end(),
                                    [&](const QueueUse& use) { return use.of->id == child; });
    if (found == report.queues.end()) continue;
    if (found->usage) {
      usages.push_back(*found->usage);
    } else if (found->of->children.size() == 1) {
      UsagesBefore(report, *found->of, depth + 1, usages);
    }
  }
}

// All queues are full, and the training waits all the same, so the last operator is slow.
void AdviseOnTheEnd(DataReport& report) {
  const auto batches = static_cast<double>(report.batches);
  const auto with_queue = std::find_if(report.queues.begin(), report.queues.end(),
                                       [](const QueueUse& use) { return use.usage.has_value(); });
  if (report.batches == 0 || with_queue == report.queues.end() ||
      static_cast<double>(report.empty_batches) <= kEmptyShare * batches)
    return;
  const QueueUse& last = report.queues.front();
  report.advice.push_back(
      {"slow-operator", OperatorName(*last.of),
       fmt::format("all queues are at least {:.0f} % full on average, and yet the batches found "
                   "none ready",
                   kHighUsage * 100),
       ChangeFor(*last.of)});
}

void AdviseOnQueues(DataReport& report) {
  bool all_high = true;
  for (const QueueUse& use : report.queues) {
    if (use.usage && *use.usage < kHighUsage) all_high = false;
  }
  if (all_high) {
    AdviseOnTheEnd(report);
    return;
  }
  // From the source to the end, so that the first cause comes first.
  for (auto use = report.queues.rbegin(); use != report.queues.rend(); ++use) {
    if (!use->usage) continue;
    std::vector<double> before;
    UsagesBefore(report, *use->of, 0, before);
    const auto highest = std::max_element(before.begin(), before.end());
    std::string evidence;
    if (use->of->children.empty() && *use->usage < kLowUsage) {
      evidence = fmt::format("its queue is {:.0f} % full on average, below {:.0f} %",
                             *use->usage * 100, kLowUsage * 100);
    } else if (highest != before.end() && *highest - *use->usage > kUsageDrop) {
      evidence = fmt::format("its queue is {:.0f} % full on average, the one before it {:.0f} %",
                             *use->usage * 100, *highest * 100);
    } else {
      continue;
    }
    report.advice.push_back(
        {"slow-operator", OperatorName(*use->of), std::move(evidence), ChangeFor(*use->of)});
  }
}

bool IsDeviceQueue(const PipelineOperator& one) {
  return one.type.starts_with("DeviceQueue") || one.type.starts_with("DataQueue");
}

// MindSpore's advice on the operators' workers, and on queues that they alone do not explain.
void AdviseOnWorkers(const DataReport& report, const QueueUse& use, std::vector<Advice>& advice) {
  const double each = *use.of->cpu_percent / static_cast<double>(use.of->workers);
  const std::string evidence =
      fmt::format("each of its {} workers uses {:.0f} % of a core", use.of->workers, each);
  if (each > kBusyWorker) {
    advice.push_back({"busy-operator", OperatorName(*use.of), evidence,
                      fmt::format("raise num_parallel_workers above {}", use.of->workers)});
  }
  if (each >= kIdleWorker) return;
  if (use.of->workers > 1) {
    advice.push_back({"idle-workers", OperatorName(*use.of), evidence,
                      "more workers will not make it faster; fewer may do"});
  }
  std::vector<double> before;
  UsagesBefore(report, *use.of, 0, before);
  const auto lowest = std::min_element(before.begin(), before.end());
  if (lowest == before.end()) return;
  const bool drops = use.usage && *use.usage - *lowest > kQueueDifference;
  if (*lowest >= kEmptyInput && !drops) return;
  // As in MindSpore, only the operator nearest to the training is named.
  const bool named = std::any_of(advice.begin(), advice.end(),
                                 [](const Advice& one) { return one.rule == "prefetch"; });
  if (named) return;
  advice.push_back({"prefetch", OperatorName(*use.of),
                    fmt::format("{}, and the queue before it is {:.0f} % full on average", evidence,
                                *lowest * 100),
                    "raise prefetch_size, or make what is before it faster"});
}

void AdviseOnDeviceQueue(const DataReport& report, const QueueUse& use,
                         std::vector<Advice>& advice) {
  for (const std::int64_t child : Children(*use.of)) {
    const auto input = std::find_if(report.queues.begin(), report.queues.end(),
                                    [&](const QueueUse& one) { return one.of->id == child; });
    if (input == report.queues.end() || !input->usage) continue;
    if (input->empty > kEmptyDeviceInput) {
      advice.push_back({"device-queue", OperatorName(*use.of),
                        fmt::format("the queue before it was empty for {:.0f} % of the samples, "
                                    "more than {:.0f} %",
                                    input->empty * 100, kEmptyDeviceInput * 100),
                        "the host cannot keep up with the device: make the operators before it "
                        "faster"});
    } else if (use.usage && *input->usage - *use.usage > kQueueDifference) {
      advice.push_back({"device-queue", OperatorName(*use.of),
                        fmt::format("its queue is {:.0f} % full on average, the one before it "
                                    "{:.0f} %",
                                    *use.usage * 100, *input->usage * 100),
                        "the transfer to the device is slower than the pipeline: send larger or "
                        "fewer batches"});
    }
  }
}

void AdviseOnOperators(DataReport& report) {
  constexpr std::array<std::string_view, 9> kSkipped = {
      "Barrier", "Concat", "EpochCtrl", "Rename", "Repeat", "Shuffle", "Skip", "Take", "Zip"};
  std::vector<Advice> advice;
  for (const QueueUse& use : report.queues) {
    const bool skipped = std::any_of(kSkipped.begin(), kSkipped.end(), [&](std::string_view type) {
      return use.of->type.starts_with(type);
    });
    if (skipped) continue;
    if (IsDeviceQueue(*use.of)) {
      AdviseOnDeviceQueue(report, use, advice);
      continue;
    }
    const bool is_leaf = use.of->children.empty();
    if (is_leaf && use.usage && *use.usage <= kLeafUsage) {
      advice.push_back({"leaf-queue", OperatorName(*use.of),
                        fmt::format("the source's queue is {:.0f} % full on average, not more "
                                    "than {:.0f} %",
                                    *use.usage * 100, kLeafUsage * 100),
                        fmt::format("raise num_parallel_workers above {}", use.of->workers)});
    }
    if (use.of->cpu_percent && use.of->workers > 0) AdviseOnWorkers(report, use, advice);
  }
  for (Advice& one : advice) report.advice.push_back(std::move(one));
}

void AdviseOnBatches(DataReport& report) {
  const auto batches = static_cast<double>(report.batches);
  const auto empty = static_cast<double>(report.empty_batches);
  if (report.batches > 0 && empty > kEmptyShare * batches) {
    report.advice.push_back(
        {"data-process", "",
         fmt::format("{} of {} batches found the queue empty ({:.0f} %, more than {:.0f} %), and "
                     "waited {:.1f} ms on average",
                     report.empty_batches, report.batches, empty / batches * 100, kEmptyShare * 100,
                     report.get_mean / 1e6),
         "make the data pipeline faster: its operators below, num_parallel_workers, less work for "
         "each sample"});
  } else if (report.empty_get_next > 0) {
    report.advice.push_back(
        {"data-transfer", "",
         fmt::format("{} of {} steps found the device's queue empty, though the host's was not",
                     report.empty_get_next, report.get_next),
         "send larger or fewer batches to the device, or raise the sink size"});
  }
}

}  // namespace

DataReport AnalyzeDataPipeline(const Profile& profile) {
  DataReport report;
  const DataPipeline& data = profile.data;
  report.batches = data.batches.size();
  for (const BatchRecord& batch : data.batches) {
    report.empty_batches += batch.queue_size == 0 ? 1 : 0;
    report.full_batches +=
        batch.queue_capacity > 0 && batch.queue_size == batch.queue_capacity ? 1 : 0;
    report.get_mean += static_cast<double>(batch.get);
    report.push_mean += static_cast<double>(batch.push);
    report.total_mean += static_cast<double>(batch.total);
  }
  if (report.batches > 0) {
    for (double* mean : {&report.get_mean, &report.push_mean, &report.total_mean})
      *mean /= static_cast<double>(report.batches);
  }
  report.get_next = data.get_next_sizes.size();
  report.empty_get_next = static_cast<std::size_t>(
      std::count(data.get_next_sizes.begin(), data.get_next_sizes.end(), 0));
  if (!data.machine_idle.empty()) {
    double idle = 0;
    for (const std::int64_t sample : data.machine_idle) idle += static_cast<double>(sample);
    report.machine_busy = 100 - idle / static_cast<double>(data.machine_idle.size());
  }
  for (const PipelineOperator& one : data.operators) report.queues.push_back(MeasureQueue(one));
  AdviseOnBatches(report);
  AdviseOnQueues(report);
  AdviseOnOperators(report);
  if (report.machine_busy && *report.machine_busy > kBusyMachine) {
    report.advice.push_back(
        {"busy-processor", "",
         fmt::format("the machine was busy for {:.0f} % of the time, more than {:.0f} %",
                     *report.machine_busy, kBusyMachine),
         "more workers will not help: do less work for each sample, or give the training more "
         "cores"});
  }
  return report;
}

}  // namespace sightline::profiler
