// Runs as TensorBoard's event files, a folder for each run.
//
// Values of TensorBoard's files are copied byte for byte. Scalars are written anew: float32 numbers
// as simple_value, a series with other numbers as tensors of float64. Values of MindSpore's files
// are converted as a recorder writes them (tensorboard_encoder.h), and graphs become GraphDefs. The
// lineage of a run becomes its hyper-parameters, unless it has some already. A loss landscape also
// becomes an image "<tag>/picture" (landscape_picture.h). All ranks but the lowest are in folders
// "rank_<n>".
#pragma once

#include <memory>
#include <string>

#include "sightline/export/runs/run_export.h"

namespace sightline {

// Writes below `folder`, which must exist. `file_system` must outlive the writer.
std::unique_ptr<RunWriter> MakeTensorBoardWriter(FileSystem& file_system, std::string folder);

}  // namespace sightline
