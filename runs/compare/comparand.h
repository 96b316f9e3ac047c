// Comparand: one side of a comparison: the scalars that a run or a log holds, and what it was made
// from.
//
//   const Comparand reference = ComparandOf(*run, "runs/gpu", filter);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series.h"

namespace sightline {

// The series of one tag that count, one for each rank, by rank. Not empty.
struct ComparandTag {
  std::string tag;
  std::vector<const Series*> ranks;
};

struct Comparand {
  std::string name;                     // As the user wrote it.
  std::vector<ComparandTag> tags = {};  // By tag.
  RunLineage lineage = {};
  // Keeps the series.
  std::shared_ptr<const void> owner = nullptr;
};

// All scalars of a run. A tag that is valid on one rank only, as MindFormers' loss with pipeline
// stages (OnlyValidRank), has that rank alone.
Comparand ComparandOf(const std::shared_ptr<const Run>& run, std::string name);

}  // namespace sightline
