// Reads MindSpore's and torch_npu's tables of operators that ran on a device: sums of their
// executions, shapes, floating-point operations.
//
// aicore_*, aicpu_*, framework_raw_* and flops_* were tested with real files (MindInsight's
// fixtures); op_statistic.csv, operator_details.csv and gpu_op_detail_info_* are read by the
// columns in MindSpore's sources. Columns are found by their titles. Each function reads one file
// to its end. A row counts as one event; rows that cannot be read are counted as not understood.
#pragma once

#include <vector>

#include "sightline/profiler/import/mindspore/mindspore_operators.h"

namespace sightline::profiler {

// op_statistic.csv, communication_statistic_*.csv: count and total (in microseconds) of each type.
// api_statistic.csv: the same of each call of the host, whose type is its level ("acl").
void ReadOperatorStatistic(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// aicore_intermediate_<rank>_detail.csv: name, mean time of an execution in milliseconds, number of
// executions.
void ReadAicoreDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// aicpu_intermediate_<rank>.csv: one row for each execution, total_time in milliseconds.
void ReadAicpu(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// gpu_op_detail_info_<rank>.csv: name, type, number of executions, total in microseconds.
void ReadGpuOperators(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// framework_raw_<rank>.csv: type and input shapes of each kernel. They are added to the operators
// that the list already has; others are ignored.
void ReadKernelShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// operator_details.csv: "Name,Input Shapes". They are added to the operators that the list already
// has; others are ignored.
void ReadInputShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// flops_<rank>.txt: the operations of the cube and the vector unit for each name, in millions. An
// operator is also listed under the last part of its name, as MindSpore's timelines have it.
void ReadFlops(ByteWindow& window, ModelBuilder& builder, std::vector<OperatorFlops>& flops);

}  // namespace sightline::profiler
