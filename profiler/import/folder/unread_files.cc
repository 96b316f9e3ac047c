#include "sightline/profiler/import/folder/unread_files.h"

#include <array>

namespace sightline::profiler {
namespace {

struct Known {
  std::string_view start;
  std::string_view reason;
};

constexpr std::string_view kTextSums =
    "the sums of step_trace_time.csv and communication.json, which are read";
constexpr std::string_view kTypeSums =
    "sums of the operators by type, which Sightline computes itself";
constexpr std::string_view kTimeline = "the same executions as the timeline, which is read";
constexpr std::string_view kRaw = "raw records from which the other tables are made";
constexpr std::string_view kPipeline = "the same as pipeline_profiling, which is read";
constexpr std::string_view kTimelineSums = "sums of the timeline, which Sightline computes itself";
constexpr std::string_view kGraph =
    "the network's graph and its scopes; `sightline ir` reads dumps of it";
constexpr std::string_view kMemoryPlan =
    "the compiler's plan of the memory, not what was used; operator_memory.csv has that";

// The first match counts, so longer starts come before shorter ones.
constexpr std::array<Known, 39> kKnown = {{
    {"analysis.db", kTextSums},
    {"communication_analyzer.db", kTextSums},
    {"cpu_op_type_info_", kTypeSums},
    {"aicore_intermediate_", kTypeSums},
    {"gpu_op_type_info_", kTypeSums},
    {"op_statistic", kTypeSums},
    {"cpu_op_detail_info_", "sums of the execution timestamps, which are read"},
    {"aicpu_intermediate_", kTimeline},
    {"gpu_op_detail_info_", kTimelineSums},
    {"gpu_activity_data_", kTimeline},
    {"output_timeline_data_", kTimeline},
    {"output_op_compute_time_", kTimelineSums},
    {"output_data_preprocess_aicpu_", kTimeline},
    {"output_format_data_hwts_", kRaw},
    {"min_cycle_counter_", kRaw},
    {"step_trace_profiling_", "raw records of step_trace_raw, which is read"},
    {"cpu_timeline_summary_", kTimelineSums},
    {"gpu_timeline_summary_", kTimelineSums},
    {"ascend_timeline_summary_", kTimelineSums},
    {"timeline_summary_", kTimelineSums},
    {"minddata_pipeline_raw_", kPipeline},
    {"minddata_pipeline_summary_", kPipeline},
    {"dataset_iterator_profiling_", "device_queue_profiling has the batches, and is read"},
    {"dynamic_shape_info_", kTimeline},
    {"memory_usage_", kMemoryPlan},
    {"static_op_mem", kMemoryPlan},
    {"parallel_strategy_", kGraph},
    {"scope_map_", kGraph},
    {"flops_scope_", "sums of flops, which is read"},
    {"api_statistic",
     "sums of the host's calls; `sightline profile ops` shows them of the file alone"},
    {"communication_statistic", kTimelineSums},
    {"hccl_statistic", kTimelineSums},
    {"task_time", kTimeline},
    {"step_trace_", kTimeline},
    {"msprof_tx", kTimeline},
    {"dataset.csv",
     "mean times of the trace's data operators; `sightline profile data` reads queues"},
    {"ascend_cluster_analyse_data-parallel", "sums of the step trace, which is read"},
    {"RuntimeProfiler", "RuntimeProfilerJson has the same events, and is a profile of its own"},
    {"summary.json",
     "written by sightline.mindspore.Profiler: `sightline profile summary` shows the same"},
}};

}  // namespace

std::string_view WhyUnread(std::string_view name) {
  for (const Known& known : kKnown) {
    if (name.starts_with(known.start)) return known.reason;
  }
  return kUnknownFile;
}

}  // namespace sightline::profiler
