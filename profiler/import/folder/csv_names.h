// What the names, paths and headers of an NPU profiler's CSV files tell.
#pragma once

#include <string>
#include <string_view>

#include "sightline/profiler/import/source/csv_rows.h"

namespace sightline::profiler {

// What the values are of: "npu_mem_slice_0_20260101120000.csv" -> "npu_mem".
std::string_view TableOfCsv(std::string_view name);

// The bytes of an MB in the tables at this path: 1000 * 1024 below MindSpore's folder
// (*_ascend_ms), and 1024 * 1024 of torch_npu.
double BytesOfMegabyte(std::string_view path);

// The titles of the header, for people; long ones are cut.
std::string ColumnsOfCsv(const CsvRows& header);

}  // namespace sightline::profiler
