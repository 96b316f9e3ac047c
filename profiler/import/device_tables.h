// Tables of operators that ran on a device, as MindSpore and torch_npu write them: sums of their
// executions, shapes, floating-point operations.
//
// Seen are aicore_*, aicpu_*, framework_raw_*, flops_* (MindInsight's fixtures); op_statistic.csv,
// operator_details.csv and gpu_op_detail_info_* are read by the headers of MindSpore's sources.
// Columns are found by their titles. Each reads one file to its end, an event a row; rows that it
// cannot read are counted as not understood.
#pragma once

#include <vector>

#include "sightline/profiler/import/mindspore_operators.h"

namespace sightline::profile {

// op_statistic.csv: count and total by type, in microseconds.
void ReadOperatorStatistic(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// aicore_intermediate_<rank>_detail.csv: name, mean of an execution in milliseconds, executions.
void ReadAicoreDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// aicpu_intermediate_<rank>.csv: an execution a row, total_time in milliseconds.
void ReadAicpu(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// gpu_op_detail_info_<rank>.csv: name, type, executions, total in microseconds.
void ReadGpuOperators(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// framework_raw_<rank>.csv: type and input shapes of each kernel. Only of operators that the list
// has.
void ReadKernelShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// operator_details.csv: "Name,Input Shapes". Only of operators that the list has.
void ReadInputShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators);

// flops_<rank>.txt: by name, in 10^6 of the cube and the vector unit. An operator is also listed by
// the last part of its name, as MindSpore's timelines have it.
void ReadFlops(ByteWindow& window, ModelBuilder& builder, std::vector<OperatorFlops>& flops);

}  // namespace sightline::profile
