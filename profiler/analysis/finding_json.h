// A finding as JSON, for all that prints or sends it. Any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// An object with rule, subject, what, evidence, change, share.
nlohmann::ordered_json FindingToJson(const Finding& finding);

}  // namespace sightline::profiler
