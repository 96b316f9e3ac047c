// Reads what an analysis computed of a profile: StepTraceTime, CommAnalyzerTime,
// CommAnalyzerBandwidth (analysis.db, communication_analyzer.db), and who recorded it:
// RANK_DEVICE_MAP, HOST_INFO, NPU_INFO, META_DATA.
#pragma once

#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

// Device steps, as step_trace_time.csv has them.
Status ReadStepTable(DatabaseTarget& target);

// Communication operators with what each kind of link transferred, as communication.json has them.
Status ReadCommunicationTables(DatabaseTarget& target);

// The rank, unless the profile has one, and attributes.
Status ReadOrigin(DatabaseTarget& target);

}  // namespace sightline::profiler
