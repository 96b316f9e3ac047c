// Writes a model, or a range of its time, as a trace that other programs read.
//
//   const std::string trace = ExportPerfetto(profile.model, {.from = begin, .to = end});
//
// An export of a range contains every span that touches the range, in full, so that its duration
// stays true; the instants and flow points in the range; and each counter's values in the range and
// the last one before it, which is its value when the range begins. Pure functions.
#pragma once

#include <string>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// Perfetto's protobuf trace, for ui.perfetto.dev and trace_processor: a message Trace
// (protos/perfetto/trace/trace_packet.proto of https://github.com/google/perfetto). A lane becomes
// a track. A track cannot hold spans that overlap without nesting; such spans go to further tracks
// beside it. Times are those of the model; if the first is negative, all are moved so that it is 0.
std::string ExportPerfetto(const Model& model, TimeRange range);

// Chrome's JSON, for chrome://tracing and most other viewers: an array of events, one in each line.
// It is several times larger than Perfetto's.
std::string ExportChrome(const Model& model, TimeRange range);

}  // namespace sightline::profiler
