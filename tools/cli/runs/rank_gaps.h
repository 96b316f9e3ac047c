// What some ranks of a run lack that the others have. A plain function, callable from any thread.
#pragma once

#include <string>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

// A line each: "rank 9 ends at step 700, the others at step 1000", "rank 3 has 900 values, the
// others 1000: loss, accuracy and 3 more tags". What more than half of the ranks have is what the
// others have; if there is no such number, only the first and the last end are named. Only tags of
// several ranks count. At most a dozen lines, however many ranks there are. Empty if nothing is
// missing, or the run has one rank.
std::vector<std::string> GapsOfRanks(const Run& run);

}  // namespace sightline
