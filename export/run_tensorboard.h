// Runs as TensorBoard's event files, a folder a run: what TensorBoard shows, whatever wrote it.
//
// Values of TensorBoard's dialect are copied to the byte, scalars by value: float32 numbers as
// simple_value, a series with others as tensors of float64. MindSpore's are converted as a recorder
// writes them (tensorboard_encoder.h); graphs become GraphDefs. The lineage of a run becomes its
// hyper-parameters, unless it has some of its own. Ranks stand in folders "rank_<n>", but for the
// lowest.
#pragma once

#include <memory>
#include <string>

#include "sightline/export/run_export.h"

namespace sightline {

// Below `folder`, which is there. `file_system` must outlive it.
std::unique_ptr<RunWriter> MakeTensorBoardWriter(FileSystem& file_system, std::string folder);

}  // namespace sightline
