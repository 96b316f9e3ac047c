// Loss landscapes as tables: CSV, and NumPy's .npz. Pure functions; callable from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

// A header line, then a line `kind,step,x,y,loss` for each point: kind "grid" (step empty), "path",
// "convergence" (step empty). Numbers are as short as they can be read back exactly; nan and inf
// are written so.
std::string LandscapeCsv(const LossLandscape& landscape);

// The arrays x, y, z (z[y, x]), and path_steps, path_x, path_y, path_z where there is a path;
// stored, not compressed.
Result<std::string> LandscapeNpz(const LossLandscape& landscape);

}  // namespace sightline
