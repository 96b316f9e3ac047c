// A model, or a time of it, as a trace that other programs read.
//
//   const std::string trace = ExportPerfetto(profile.model, {.from = begin, .to = end});
//
// What a range keeps: every span that touches it, whole, so that its duration stays true; instants
// and flow points within it; of each counter the values within it, and the last one before it, with
// which the range begins. Pure functions.
#pragma once

#include <string>

#include "sightline/profiler/model/model.h"

namespace sightline::profile {

// Perfetto's protobuf trace, a message Trace (protos/perfetto/trace/trace_packet.proto of
// https://github.com/google/perfetto): ui.perfetto.dev, trace_processor. A lane is a track; spans
// of one lane that cross each other, which a track cannot hold, go to further tracks beside it.
// Times are those of the model, moved by its first one where that is below zero.
std::string ExportPerfetto(const Model& model, TimeRange range);

// Chrome's JSON, an array of events, a line each: chrome://tracing and most other viewers; several
// times larger.
std::string ExportChrome(const Model& model, TimeRange range);

}  // namespace sightline::profile
