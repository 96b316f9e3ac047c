// Runs as TensorBoard's event files, a folder for each run.
//
// Values of TensorBoard's files are copied byte for byte. Scalars are written anew: float32 numbers
// as simple_value, a series with other numbers as tensors of float64. Values of MindSpore's files
// are converted as a recorder writes them (tensorboard_encoder.h), and graphs become GraphDefs. The
// lineage of a run becomes its hyper-parameters, unless it has some already. All ranks but the
// lowest are in folders "rank_<n>".
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sightline/export/runs/run_export.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

// Draws a landscape as PNG (png/landscape_png.h); an error if that is not possible.
using LandscapePainter =
    std::function<Result<PngImage>(const LossLandscape& landscape, const std::string& title)>;

// Writes below `folder`, which must exist. `file_system` must outlive the writer. With a painter,
// each landscape also becomes an image "<tag>/picture".
std::unique_ptr<RunWriter> MakeTensorBoardWriter(FileSystem& file_system, std::string folder,
                                                 LandscapePainter paint = nullptr);

}  // namespace sightline
