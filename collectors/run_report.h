// The lines that a monitor reports: one at the start of a run, one at its end, and one for each
// change of the rate of heavy values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sightline/collectors/rules/nan_watch.h"
#include "sightline/collectors/rules/overhead_budget.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

// The first line: where the run is recorded, how often, and how to look at it. `continues_session`
// is Recorder::continues_session().
std::string StartLine(const std::string& directory, const SummaryOptions& options,
                      std::string_view continues_session = "");

// The last line: what was recorded, left out and dropped, and the first error. `problem` is the
// monitor's own error (such as an exception of the trainer's function), or OK.
std::string EndLine(const std::string& directory, const RecorderStats& stats, const Status& closed,
                    const Status& problem, const std::optional<NonFinite>& first_nonfinite,
                    std::int64_t thinned_steps = 0);

// The line that says at which rate heavy values are recorded from `step` on.
std::string RateLine(std::int64_t step, const RateChange& change, double max_overhead);

// Writes "sightline: <line>" to standard error. Any thread.
void SayOnStandardError(std::string_view line);

}  // namespace sightline
