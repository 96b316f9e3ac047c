// Runs as TensorBoard's event files, a folder a run: what TensorBoard shows, whatever wrote it.
//
// Values of TensorBoard's dialect are copied to the byte, scalars by value: float32 numbers as
// simple_value, a series with others as tensors of float64. MindSpore's are converted as a recorder
// writes them (tensorboard_encoder.h); graphs become GraphDefs. The lineage of a run becomes its
// hyper-parameters, unless it has some of its own. Ranks stand in folders "rank_<n>", but for the
// lowest.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sightline/export/run_export.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {

// A landscape as a PNG picture (png/landscape_png.h); an error where it cannot be drawn.
using LandscapePainter =
    std::function<Result<PngImage>(const LossLandscape& landscape, const std::string& title)>;

// Below `folder`, which is there. `file_system` must outlive it. With a painter each landscape also
// becomes an image "<tag>/picture".
std::unique_ptr<RunWriter> MakeTensorBoardWriter(FileSystem& file_system, std::string folder,
                                                 LandscapePainter paint = nullptr);

}  // namespace sightline
