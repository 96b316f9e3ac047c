// XLA's profile: *.xplane.pb.
//
// Source: tsl/profiler/protobuf/xplane.proto; the numbers of planes, lines and events were checked
// against a file of JAX's. A plane is a process, a line a thread; an event starts at the line's
// timestamp_ns plus its own offset in picoseconds, rounded to nanoseconds.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profile {

// An event an event. kDataLoss where the bytes end within a message: what came before is read.
Status ReadXplane(std::string_view bytes, ModelBuilder& builder);

}  // namespace sightline::profile
