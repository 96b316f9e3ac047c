// Folds repeated blocks of a tree: groups of one parent that have the same operators in the same
// order, and whose names differ only in numbers ("0-Block", "1-Block"). Private to this folder.
#pragma once

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Makes one group of them; each leaf has the nodes at the same place of all blocks.
void FoldRepeats(const Module& module, ScopeTree& tree);

}  // namespace sightline::ir
