// SummaryMonitor's parameters, whoever writes them: a YAML file (summary_config.h) or Python's
// keyword arguments.
#pragma once

#include <optional>
#include <string_view>

#include "sightline/collectors/option_reader.h"
#include "sightline/collectors/summary_config.h"

namespace sightline {

// What the parameters do not say stays as in `base`. Faults, those of SummaryOptions::Check() and
// unknown names included, are added to those of `parameters`; functions (on_nonfinite, say) are no
// values, so whoever can write them reads them and makes them known before.
SummaryConfig ReadSummaryConfig(OptionReader& parameters, SummaryOptions base);

// Whether what the switch "collect_..." names is collected; nothing for a name that is no switch.
std::optional<bool> IsCollected(const CollectSpecifiedData& data, std::string_view name);

// The pairs of "custom_lineage_data" alone; a value that none can have is a fault.
void ReadCustomLineage(OptionReader& parameters, CustomLineage& pairs);

}  // namespace sightline
