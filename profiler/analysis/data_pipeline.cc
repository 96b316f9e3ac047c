#include "sightline/profiler/analysis/data_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sightline::profile {
namespace {

constexpr double kEmptyShare = 0.3;
constexpr double kHighUsage = 0.8;
constexpr double kLowUsage = 0.6;
constexpr double kUsageDrop = 0.1;
constexpr double kBusyMachine = 80;
constexpr double kBusyWorker = 75;

std::string NameOf(const PipelineOperator& one) { return fmt::format("{}_{}", one.type, one.id); }

QueueUse UseOf(const PipelineOperator& one) {
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

// 003's four suggestions.
std::string ChangeFor(const PipelineOperator& one) {
  const auto is = [&](std::string_view type) { return one.type.starts_with(type); };
  if (is("Generator"))
    return "change num_parallel_workers, or replace the generator by MindRecordDataset";
  if (is("Map"))
    return "change num_parallel_workers; optimise the function where it is one of Python's";
  if (is("Batch")) return "change prefetch_size";
  if (one.children.empty()) return "change num_parallel_workers of the data set";
  return "change num_parallel_workers, or the operators in front of it";
}

// The queues of the operators in front of this one; of one without a queue, those in front of that.
void UsagesBefore(const DataReport& report, const PipelineOperator& one, std::size_t depth,
                  std::vector<double>& usages) {
  constexpr std::size_t kMaxDepth = 32;  // A forged file may have a ring.
  if (depth > kMaxDepth || usages.size() > kMaxDepth) return;
  for (const std::int64_t child : one.children) {
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

void AdviseOnQueues(DataReport& report) {
  bool all_high = true;
  for (const QueueUse& use : report.queues) {
    if (use.usage && *use.usage < kHighUsage) all_high = false;
  }
  if (all_high) return;
  // From the source to the end: the first cause comes first.
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
      evidence =
          fmt::format("its queue is {:.0f} % full on average, the one in front of it {:.0f} %",
                      *use->usage * 100, *highest * 100);
    } else {
      continue;
    }
    report.advice.push_back(
        {"slow-operator", NameOf(*use->of), std::move(evidence), ChangeFor(*use->of)});
  }
}

void AdviseOnOperators(DataReport& report) {
  constexpr std::array<std::string_view, 9> kSkipped = {
      "Barrier", "Concat", "EpochCtrl", "Rename", "Repeat", "Shuffle", "Skip", "Take", "Zip"};
  for (const QueueUse& use : report.queues) {
    const bool skipped = std::any_of(kSkipped.begin(), kSkipped.end(), [&](std::string_view type) {
      return use.of->type.starts_with(type);
    });
    if (skipped || !use.of->cpu_percent || use.of->workers <= 0) continue;
    const double each = *use.of->cpu_percent / static_cast<double>(use.of->workers);
    if (each <= kBusyWorker) continue;
    report.advice.push_back(
        {"busy-operator", NameOf(*use.of),
         fmt::format("each of its {} workers uses {:.0f} % of a core", use.of->workers, each),
         fmt::format("raise num_parallel_workers above {}", use.of->workers)});
  }
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
         "make the data pipeline faster: its operators below, num_parallel_workers, less work a "
         "sample"});
  } else if (report.empty_get_next > 0) {
    report.advice.push_back(
        {"data-transfer", "",
         fmt::format("{} of {} steps found the device's queue empty, though the host's was not",
                     report.empty_get_next, report.get_next),
         "send larger or fewer batches to the device, or raise the sink size"});
  }
}

}  // namespace

DataReport DataPipelineOf(const Profile& profile) {
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
  for (const PipelineOperator& one : data.operators) report.queues.push_back(UseOf(one));
  AdviseOnBatches(report);
  AdviseOnQueues(report);
  AdviseOnOperators(report);
  if (report.machine_busy && *report.machine_busy > kBusyMachine) {
    report.advice.push_back(
        {"busy-processor", "",
         fmt::format("the machine was busy for {:.0f} % of the time, more than {:.0f} %",
                     *report.machine_busy, kBusyMachine),
         "more workers will not help: do less work a sample, or give the training more cores"});
  }
  return report;
}

}  // namespace sightline::profile
