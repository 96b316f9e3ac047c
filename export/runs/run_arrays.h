// Runs as NumPy arrays:
//
//   <run>/scalars/<tag>/steps, wall_times, values         columns: int64, float64, float64
//   <run>/tensors/<tag>/<step>                            as recorded
//   <run>/images/<tag>/<step>                             uint8, (height, width, channels)
//   <run>/histograms/<tag>/<step>                         float64, (buckets, 3): left, right, count
//   <run>/landscapes/<tag>/<step>.x, .y, .z               float64; z is (y, x)
//
// If a run has several ranks, all but the lowest are below <run>/rank_<n>. Tags are quoted as in
// npy_name.h. Further values of one step have numbers: <step>.2, <step>.3.
#pragma once

#include <memory>

#include "sightline/export/runs/array_sink.h"
#include "sightline/export/runs/run_export.h"

namespace sightline {

std::unique_ptr<RunWriter> MakeArrayWriter(std::unique_ptr<ArraySink> sink);

}  // namespace sightline
