// Reads XLA's profiles, *.xplane.pb.
//
// Source: tsl/profiler/protobuf/xplane.proto; the numbers of planes, lines and events were checked
// with a file that JAX wrote. A plane becomes a process, a line a thread. An event starts at the
// line's timestamp_ns plus its own offset in picoseconds, rounded to nanoseconds.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// kDataLoss if the bytes end within a message; the events before it are in the builder.
Status ReadXplane(std::string_view bytes, ModelBuilder& builder);

}  // namespace sightline::profiler
