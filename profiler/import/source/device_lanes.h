// Parts what a device did from what its host did, whichever program wrote the trace.
#pragma once

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// A number about the device comes from its lanes, and one about the host from the host's:
//
// - A lane whose category says that a device did its spans is one of a device (LaneKind::kStream),
//   also if nothing names it so. So are XLA's lanes "Stream #13(...)"; the lanes "XLA Ops" beside
//   them show the same kernels again, by operation.
// - If a device has kernels, only its own collectives communicate: the host's calls of them are
//   operators, and those of XLA that launch an operation are its runtime.
// - Steps are the host's. The marks that Kineto and XLA repeat on the device are steps only if the
//   host has none.
//
// Call it once the kinds are known otherwise (ClassifyByLane, ClassifyDeviceTasks).
void SeparateDevices(Model& model);

}  // namespace sightline::profiler
