// The lines that a monitor says: one at the start of a run, one at its end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/collectors/nan_watch.h"
#include "sightline/collectors/overhead_budget.h"
#include "sightline/collectors/summary_options.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

// Where the run is recorded, how often, and how to look at it. `continues_session`: as
// Recorder::continues_session() says.
std::string StartLine(const std::string& directory, const SummaryOptions& options,
                      std::string_view continues_session = "");

// What was recorded, left out, dropped or failed first. `problem` is the monitor's own (a function
// of the trainer that threw), or OK.
std::string EndLine(const std::string& directory, const RecorderStats& stats, const Status& closed,
                    const Status& problem, const std::optional<NonFinite>& first_nonfinite,
                    std::int64_t thinned_steps = 0);

// That heavy values are recorded at another rate from `step` on.
std::string RateLine(std::int64_t step, const RateChange& change, double max_overhead);

// Says lines on standard error.
std::function<void(std::string_view)> SayOnStandardError();

}  // namespace sightline
