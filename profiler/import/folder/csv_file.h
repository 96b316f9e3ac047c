// Reads one CSV file of an NPU's profiler alone, whatever it is called: its columns tell what it
// has.
#pragma once

#include <string>

#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

// kernel_details and op_summary_* (a row for each kernel), task_time_* (a row for each task),
// op_statistic, api_statistic and communication_statistic_* (sums), step_trace_* (iterations),
// memory_record, operator_memory, and any other table of values over time. kInvalidArgument, with
// the columns, if it is none of these.
Status ReadCsvFile(const ImportTarget& target, const std::string& path);

}  // namespace sightline::profiler
