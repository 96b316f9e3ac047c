// What `compare` is given for one of its sides: a run, or what a training printed.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/runs/compare/comparand.h"

namespace sightline {

// - The run in or below a directory that recorded scalars. kInvalidArgument, with their names, if
//   there are several.
// - If there is none: the console that `sightline run` kept there, that of the lowest rank.
// - A file: a trainer_state.json, or else a console or a text log (logged_scalars.h), in which
//   `pattern` may find the user's own lines. kInvalidArgument if it holds no scalars, such as an
//   event file, whose directory should be named.
Result<Comparand> OpenComparand(const std::string& path, const std::string& pattern);

}  // namespace sightline
