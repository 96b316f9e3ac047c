// SummaryOptions from those of the C interface.
#pragma once

#include "sightline/base/status.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/sdk/sightline.h"

namespace sightline::sdk {

// `given` may be null. Errors: a wrong struct_size, bit or enumerator, or a null pointer; what the
// options mean is checked by SummaryMonitor::Create.
Result<SummaryOptions> SummaryOptionsOf(const sightline_monitor_options* given);

}  // namespace sightline::sdk
