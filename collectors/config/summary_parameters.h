// Reads SummaryMonitor's parameters from a YAML file (summary_config.h) or from Python's keyword
// arguments.
#pragma once

#include <optional>
#include <string_view>

#include "sightline/collectors/config/option_reader.h"
#include "sightline/collectors/config/summary_config.h"

namespace sightline {

// Parameters that are not given stay as in `base`. Adds the faults to those of `parameters`,
// including unknown names and the faults of SummaryOptions::Check(). Functions (on_nonfinite, say)
// are not values: a caller that has them must read them first, and make them known.
SummaryConfig ReadSummaryConfig(OptionReader& parameters, SummaryOptions base);

// Whether the data of the switch `name` ("collect_...") is collected; nothing if there is no such
// switch.
std::optional<bool> IsCollected(const CollectSpecifiedData& data, std::string_view name);

// Reads only the pairs of "custom_lineage_data". A value that cannot be recorded is a fault.
void ReadCustomLineage(OptionReader& parameters, CustomLineage& pairs);

}  // namespace sightline
