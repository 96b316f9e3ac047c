// Reads what the host called: PYTORCH_API with CONNECTION_IDS and PYTORCH_CALLCHAINS, CANN_API,
// MSTX_EVENTS, STEP_TIME, and other tables of times on a thread (OSRT_API, GC_RECORD).
#pragma once

#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

// CONNECTION_IDS: fills of_calls and from_calls.
Status ReadConnections(DatabaseTarget& target);

// Needs connections.to_device.
Status ReadHostCalls(DatabaseTarget& target);

}  // namespace sightline::profiler
