// Loss landscapes as tables: CSV, and NumPy's .npz. Pure functions; callable from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

// A header line, then a line `kind,step,x,y,loss` for each point that was evaluated, further
// metrics behind it: kind "grid" (step empty), "path", "line_first" and "line_second" (along a
// direction), "line_checkpoints" (x is the part of the way from the first to the last),
// "convergence". Numbers are as short as they can be read back exactly; nan and inf are written so.
std::string LandscapeCsv(const LossLandscape& landscape);

// The arrays x, y, z (z[y, x]), and path_steps, path_x, path_y, path_z, distances where there is a
// path, explained_variance, metrics (metric, y, x), path_metrics (metric, point), and
// line_<along>_at and _z where they are known; stored, not compressed.
Result<std::string> LandscapeNpz(const LossLandscape& landscape);

}  // namespace sightline
