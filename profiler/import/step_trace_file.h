// step_trace_raw_<rank>_detail_time.csv and step_trace_point_info_<rank>.json.
//
// Source: mindspore 2.0.0, profiler/parser/step_trace_parser.py. A row a step, times in counts of
// 10 ns; the last row, "-", is the average: of all steps, or of all but the first, as the version
// has it. Files of inference lack bp_point and tail.
#pragma once

#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// Fills profile.steps and step_average. An event a row.
void ReadStepTrace(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// The names of the operators where forward begins and backward ends; `json` is an object, or a list
// of them with one for each step, of which the first counts.
void ReadStepPoints(std::string_view json, Profile& profile);

}  // namespace sightline::profile
