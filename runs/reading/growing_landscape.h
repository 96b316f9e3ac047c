// Growing landscapes: loss landscapes of a run that are still being computed, or whose computation
// ended before they were recorded. They hold the points that are known so far. Recorded landscapes
// are values of the run (ContentKind::kLandscape).
//
//   for (const GrowingLandscape& growing : *ReadGrowingLandscapes("runs/lenet"))
//     Draw(growing.landscape);   // NaN if a point is not known yet.
//
// They come from the journals of points (landscape/journal), which are neither changed nor locked.
// Reads files and nothing else; callable from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {

struct GrowingLandscape {
  std::string tag;      // "landscape_[1, 3]"
  std::string journal;  // Its path.
  std::size_t known_points = 0;
  std::size_t points = 0;
  LossLandscape landscape;
};

// The growing landscapes of the run in `directory`, in the order of the journals' names. Journals
// without a point, and those of recorded landscapes, are left out. kDataLoss, naming the file, for
// a journal that cannot be read.
Result<std::vector<GrowingLandscape>> ReadGrowingLandscapes(
    const std::string& directory, FileSystem* file_system = &FileSystem::Local());

}  // namespace sightline
