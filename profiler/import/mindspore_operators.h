// MindSpore's tables of operators on the host, and of memory: FRAMEWORK/ of 2.7 and 2.10, profiler/
// of 2.0 (mindspore/ccsrc/plugin/device/cpu/hal/profiler).
//
// Each reads one file to its end; rows that it cannot read are counted in the builder as not
// understood.
#pragma once

#include <unordered_map>
#include <vector>

#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// Operators by full name, in the order in which they come.
class OperatorList {
 public:
  ListedOperator& Of(NameId name);
  // Null where it is not there.
  ListedOperator* Find(NameId name);
  std::vector<ListedOperator> Take() && { return std::move(operators_); }
  std::vector<ListedOperator>& all() { return operators_; }
  bool empty() const { return operators_.empty(); }

 private:
  std::vector<ListedOperator> operators_;
  std::unordered_map<std::uint32_t, std::size_t> places_;
};

// "Default/fc1-Dense/MatMul-op7" -> "MatMul"; what has no such ending stays as it is.
std::string_view OperatorTypeOfName(std::string_view name);

// cpu_op_execute_timestamp_0.txt: "full name;HostCpuOps;start_ns,duration_ms,thread ..." a line. An
// event an execution. `add_spans`: into the timeline too.
void ReadExecutionTimes(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                        OperatorList& operators);

// cpu_op_detail_info_0.csv. An event a row.
void ReadOperatorDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// cpu_framework_0.txt: "type;name;graph;input_1:[32, 1];..." a line and execution: shapes for the
// operators that the list has. An event a line.
void ReadOperatorShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// cpu_ms_memory_record_0.txt: counters "memory allocated" and "memory reserved", in bytes. An event
// a row.
void ReadMemoryRecord(ByteWindow& window, ModelBuilder& builder);

// memory_record.csv of NPU runs: times in microseconds, sizes in MB (1000 KB
// of 1024).
void ReadMemoryRecordCsv(ByteWindow& window, ModelBuilder& builder);

// operator_memory.csv of NPU runs: an allocation a row, in kilobytes of 1024 and microseconds.
void ReadOperatorMemory(ByteWindow& window, ModelBuilder& builder,
                        std::vector<Allocation>& allocations);

}  // namespace sightline::profile
