// Comparand: one side of a comparison: the scalars that a run or a log holds, and what it was made
// from.
//
//   const Comparand reference = ComparandOf(*run, "runs/gpu", filter);
#pragma once

#include <functional>
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
  // Gives a series with its points, so that those of one rank are in memory at a time. Empty: the
  // series of `tags` have their points.
  std::function<std::shared_ptr<const Series>(const Series*)> open = {};

  // A series of `tags`, with its points for as long as what is returned lives.
  std::shared_ptr<const Series> Open(const Series& series) const;
};

// All scalars of a run. A tag that is valid on one rank only, as MindFormers' loss with pipeline
// stages (OnlyValidRank), has that rank alone.
Comparand ComparandOf(const std::shared_ptr<const Run>& run, std::string name);

}  // namespace sightline
