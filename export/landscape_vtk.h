// Loss landscapes for ParaView and everything else that reads VTK's XML files
// (docs.vtk.org, "VTK XML formats"), as text. Pure functions; callable from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

// The surface as .vti: an image whose points carry the arrays "loss", and "metric_1" ...
// of what else was measured. kInvalidArgument where an axis
// has no point.
Result<std::string> LandscapeVti(const LossLandscape& landscape);

// The path as .vtp: one line whose points carry "loss" and "step". kInvalidArgument where there is
// no path.
Result<std::string> LandscapeVtp(const LossLandscape& landscape);

}  // namespace sightline
