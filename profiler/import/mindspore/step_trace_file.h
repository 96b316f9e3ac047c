// Reads MindSpore's step trace: step_trace_raw_<rank>_detail_time.csv and
// step_trace_point_info_<rank>.json.
//
// Source: mindspore 2.0.0, profiler/parser/step_trace_parser.py. The csv has one row for each step,
// with times in units of 10 ns. The last row, "-", is the average of all steps, or of all but the
// first; this depends on MindSpore's version. Files of inference lack bp_point and tail.
#pragma once

#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Fills profile.steps and step_average. A row counts as one event.
void ReadStepTrace(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// Fills profile.forward_operator and backward_operator: where forward begins and backward ends.
// `json` is an object, or a list with one for each step, of which the first is used.
void ReadStepPoints(std::string_view json, Profile& profile);

}  // namespace sightline::profiler
