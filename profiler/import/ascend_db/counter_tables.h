// Reads tables of values over time: HBM, LLC, DDR, NPU_MEM, NPU_MODULE_MEM, AICORE_FREQ, NIC, ROCE,
// HCCS, PCIE, ACC_PMU, SOC_BANDWIDTH_LEVEL, and any other with the column timestampNs.
//
// Each column of numbers is a counter for each distinct combination of the columns that say whose
// value it is: those whose names end in "Id", `type`, `mode` and `component`.
#pragma once

#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

Status ReadCounterTables(DatabaseTarget& target);

}  // namespace sightline::profiler
