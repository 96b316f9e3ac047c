// What holds for every module, whatever it was read from.
#pragma once

#include "sightline/ir/model/module.h"

namespace sightline::fuzz {

// Aborts unless every index points into its table, names resolve to what there is, and problems
// have a place.
void CheckModule(const ir::Module& module);

}  // namespace sightline::fuzz
