// Loss landscapes as tables: CSV, and NumPy's .npz. Pure functions; callable from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

// A header line, then a line `kind,step,x,y,loss`, with further metrics, for each point that was
// evaluated. The kinds are "grid" (step is empty), "path", "line_first" and "line_second" (along a
// direction), "line_checkpoints" (x is the part of the way from the first to the last) and
// "convergence". Numbers have the fewest digits that give the same float64 back; others are nan and
// inf.
std::string LandscapeCsv(const LossLandscape& landscape);

// The arrays x, y, z (z[y, x]); if there is a path, path_steps, path_x, path_y, path_z and
// distances; as far as they are known, explained_variance, metrics (metric, y, x), path_metrics
// (metric, point), line_<along>_at and line_<along>_z. Stored, not compressed.
Result<std::string> LandscapeNpz(const LossLandscape& landscape);

}  // namespace sightline
