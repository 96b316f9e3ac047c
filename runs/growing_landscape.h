// Growing landscapes: loss landscapes of a run that are being computed, or whose computation ended
// before they were recorded, as far as their points are known. Recorded ones are values of the run
// (ContentKind::kLandscape).
//
//   for (const GrowingLandscape& growing : *ReadGrowingLandscapes(files, "runs/lenet"))
//     Draw(growing.landscape);   // NaN where a point is not known yet
//
// They come from the journals of points (landscape/journal), of which nothing is changed and no
// lock is taken. Pure but for the files; callable from any thread.
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

// In the order of the journals' names. Those without a point, and those that were recorded, are
// left out. kDataLoss, naming the file, for a journal that cannot be read.
Result<std::vector<GrowingLandscape>> ReadGrowingLandscapes(FileSystem& files,
                                                            const std::string& directory);

}  // namespace sightline
