// Sorts a folder's dumps by their names and times into runs, compilations and sets of kernel
// graphs, and finds the dump that each is compared with.
#pragma once

#include "sightline/ir/folder/folder.h"

namespace sightline::ir {

// The N of "rank_N/..."; none for other folders.
std::optional<std::uint32_t> RankOf(std::string_view path);

// REQUIRES: folder.dumps is filled, with or without figures. Sorts it, and fills folder.runs.
//
// - If a number occurs twice, the second is of a later run; the files' times tell runs apart.
// - A compilation begins at 00_bootstrap, or where the number of the stage does not rise.
// - A set of kernel graphs ends with trace_code_graph, or where one of its steps occurs again.
void OrderDumps(Folder& folder);

// REQUIRES: OrderDumps. Fills Dump::before, changed and other_graph from the figures.
//
// Stages, passes, steps and substitutions of a compilation are compared with the one before; those
// of other graphs with the last one of their graph. So are the dumps of one set of kernel graphs.
// Others (kOther, kActors, kFailure), and dumps that cannot be read, are compared with none.
void CompareDumps(Folder& folder);

}  // namespace sightline::ir
