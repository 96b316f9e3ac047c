// Reads MindSpore's tables of operators on the host, and of memory: FRAMEWORK/ of 2.7 and 2.10,
// profiler/ of 2.0 (mindspore/ccsrc/plugin/device/cpu/hal/profiler).
//
// Each function reads one file to its end. A row or line counts as one event; those that cannot be
// read are counted as not understood.
#pragma once

#include <unordered_map>
#include <vector>

#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Operators by full name, in the order in which they were added.
class OperatorList {
 public:
  // The operator of this name. Adds it if there is none.
  ListedOperator& FindOrAdd(NameId name);
  // Counts an execution of a kernel. The operator has the shapes of its executions if all have the
  // same.
  void AddExecution(NameId name, NameId type, NameId shapes, std::int64_t duration);
  // Null if there is none.
  ListedOperator* Find(NameId name);
  std::vector<ListedOperator> Take() && { return std::move(operators_); }
  std::vector<ListedOperator>& all() { return operators_; }
  bool empty() const { return operators_.empty(); }

 private:
  std::vector<ListedOperator> operators_;
  std::unordered_map<std::uint32_t, std::size_t> places_;
};

// "Default/fc1-Dense/MatMul-op7" -> "MatMul". A name without such an ending is returned as it is.
std::string_view OperatorTypeFromName(std::string_view name);

// cpu_op_execute_timestamp_0.txt: lines "full name;HostCpuOps;start_ns,duration_ms,thread ...". An
// execution counts as one event. `add_spans`: also adds a span to the timeline for each.
void ReadExecutionTimes(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                        OperatorList& operators);

// cpu_op_detail_info_0.csv: the sums of each operator.
void ReadOperatorDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// cpu_framework_0.txt: one line "type;name;graph;input_1:[32, 1];..." for each execution. The
// shapes are added to the operators that the list already has.
void ReadOperatorShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// cpu_ms_memory_record_0.txt: adds counters "memory allocated" and "memory reserved", in bytes.
void ReadMemoryRecord(ByteWindow& window, ModelBuilder& builder);

// memory_record.csv of NPU runs: times in microseconds, sizes in MB of `megabyte` bytes, or in KB
// (msprof).
void ReadMemoryRecordCsv(ByteWindow& window, double megabyte, ModelBuilder& builder);

// operator_memory.csv of NPU runs: one row for each allocation; sizes in KB of 1,024 bytes, times
// in microseconds. msprof's has the duration in place of the time of the release.
void ReadOperatorMemory(ByteWindow& window, ModelBuilder& builder,
                        std::vector<Allocation>& allocations);

}  // namespace sightline::profiler
