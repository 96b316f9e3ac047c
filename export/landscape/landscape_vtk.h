// Loss landscapes for ParaView and other programs that read VTK's XML files (docs.vtk.org, "VTK XML
// formats"), as text. Pure functions; callable from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

// The surface as .vti: an image whose points have the arrays "loss", and "metric_1", ... for the
// other measured numbers. kInvalidArgument if an axis has no point.
Result<std::string> LandscapeVti(const LossLandscape& landscape);

// The path as .vtp: one line whose points have "loss" and "step". kInvalidArgument if there is no
// path.
Result<std::string> LandscapeVtp(const LossLandscape& landscape);

}  // namespace sightline
