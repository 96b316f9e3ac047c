// Reads CSV files of values over time, whatever they are of: npu_module_mem.csv, npu_mem_*.csv,
// nic_*.csv, roce_*.csv, data_preprocess.csv, ...
//
// A file is one if it has a column "Timestamp(us)", also in ns, ms or s and in other spellings
// ("time_stamp(us)"). Each column of numbers is a counter of its own for each combination of the
// columns that say whose value it is: texts, and numbers whose titles end in "id". A task's id is
// ignored, since it is a new one in each row. Sizes become bytes; other titles keep their units.
// Tested with the real npu_module_mem.csv of torch_npu.
#pragma once

#include <string_view>

#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// Whether the file with this header is one.
bool HasTimestamps(const CsvRows& header);

// `table`: what the counters are called by, "npu_module_mem". `megabyte`: the bytes of an MB, in
// which profilers differ. A row counts as one event.
void ReadCounterCsv(ByteWindow& window, std::string_view table, double megabyte,
                    ModelBuilder& builder);

}  // namespace sightline::profiler
