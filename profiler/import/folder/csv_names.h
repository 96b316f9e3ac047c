// What the names, paths and headers of an NPU profiler's CSV files tell.
#pragma once

#include <string>
#include <string_view>

#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// What the values are of: "npu_mem_slice_0_20260101120000.csv" -> "npu_mem".
std::string_view TableOfCsv(std::string_view name);

// The bytes of an MB in memory tables: 1000 * 1024 of MindSpore's profiler, which divides by 1000
// where the others divide by 1024.
double BytesOfMegabyte(SourceFormat format);
// The same by the path of a table alone: MindSpore's if the nearest folder of a profiler is
// *_ascend_ms.
double BytesOfMegabyte(std::string_view path);

// The titles of the header, for people; long ones are cut.
std::string ColumnsOfCsv(const CsvRows& header);

}  // namespace sightline::profiler
