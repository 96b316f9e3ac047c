// Reads the tables of memory: MEMORY_RECORD, NPU_MEM (that of the program as a whole), OP_MEMORY.
#pragma once

#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

// Counters "memory allocated, PTA, NPU:0" and "memory reserved, ...", in bytes, as they are called
// for memory_record.csv.
Status ReadMemoryTables(DatabaseTarget& target);

// OP_MEMORY: the allocations of operators.
Status ReadAllocationTable(DatabaseTarget& target);

}  // namespace sightline::profiler
