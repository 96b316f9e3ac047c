// Puts a folder's dumps into order, from their names and times alone: runs, compilations, sets of
// kernel graphs, and which dump each is compared with.
#pragma once

#include "sightline/ir/folder/folder.h"

namespace sightline::ir {

// The N of "rank_N/..."; none for what lies in no such folder.
std::optional<std::uint32_t> RankOf(std::string_view path);

// REQUIRES: folder.dumps is filled, with or without figures. Sorts it, and fills folder.runs.
//
// - A number that is there twice is of a later run; runs are told apart by the files' times.
// - A compilation begins at 00_bootstrap, or where the number of the stages does not rise.
// - A set of kernel graphs ends with trace_code_graph, or where one of its steps comes again.
void OrderDumps(Folder& folder);

// REQUIRES: OrderDumps. Fills Dump::before, changed and other_graph from the figures.
//
// Stages, passes, substeps and substitutions of a compilation follow each other, but for those of
// other graphs, which follow the last one of their graph; so do the dumps of one set of kernel
// graphs. Others (kOther, kActors, kFailure) and what cannot be read stand for
// themselves.
void CompareDumps(Folder& folder);

}  // namespace sightline::ir
