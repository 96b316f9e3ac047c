// The tables and texts of MindSpore's profiler and of msprof on arbitrary bytes: the first one says
// which.
#include <array>
#include <cstddef>
#include <cstdint>

#include "sightline/tests/fuzz/profile_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<const char*, 30> kFiles = {
      "run/cpu_op_execute_timestamp_0.txt",
      "run/cpu_op_detail_info_0.csv",
      "run/step_trace_raw_0_detail_time.csv",
      "run/pipeline_profiling_0.json",
      "run/dataset_iterator_profiling_0.txt",
      "run/device_queue_profiling_0.txt",
      "run/kernel_details.csv",
      "run/FRAMEWORK/cpu_ms_memory_record_0.txt",
      "run/FRAMEWORK/cpu_op_execute_timestamp_0.txt",
      "run/ASCEND_PROFILER_OUTPUT/memory_record.csv",
      "run/aicore_intermediate_0_detail.csv",
      "run/gpu_op_detail_info_0.csv",
      "run/hccl_raw_0.csv",
      "run/minddata_pipeline_raw_0.csv",
      "run/ASCEND_PROFILER_OUTPUT/op_statistic.csv",
      "run/ASCEND_PROFILER_OUTPUT/communication.json",
      "run/ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
      "run/ASCEND_PROFILER_OUTPUT/operator_memory.csv",
      "run/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
      "run/ASCEND_PROFILER_OUTPUT/communication_matrix.json",
      "run/profiler_metadata.json",
      "run/cluster_step_trace_time.csv",
      "run/cluster_communication.json",
      "run/cluster_communication_matrix.json",
      "run/communication_group.json",
      "run/PROF_1/mindstudio_profiler_output/op_summary_1.csv",
      "run/PROF_1/mindstudio_profiler_output/task_time_1.csv",
      "run/PROF_1/mindstudio_profiler_output/step_trace_1.csv",
      "run/PROF_1/mindstudio_profiler_output/npu_mem_1.csv",
      "alone.csv"};
  if (size == 0) return 0;
  const char* path = kFiles[data[0] % kFiles.size()];
  sightline::fuzz::CheckProfile(path, {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
