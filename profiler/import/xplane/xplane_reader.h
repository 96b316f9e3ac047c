// Reads XLA's profiles, *.xplane.pb.
//
// Source: tsl/profiler/protobuf/xplane.proto; the numbers of planes, lines and events were checked
// with a file that JAX wrote. A plane becomes a process, a line a thread. An event starts at the
// line's timestamp_ns plus its own offset in picoseconds, rounded to nanoseconds.
//
// A plane has the names of its events after them, so the file is read twice: names first. That
// takes the memory of the names, and a few megabytes, however large the file is.
#pragma once

#include <functional>
#include <memory>

#include "sightline/base/status.h"
#include "sightline/profiler/import/source/byte_source.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// `open` gives the file from its start on, at each call. kDataLoss if it ends within a message; the
// planes before that one are in the builder.
Status ReadXplane(const std::function<Result<std::unique_ptr<ByteSource>>()>& open,
                  ModelBuilder& builder);

}  // namespace sightline::profiler
