// Repeated blocks of a tree: groups of one parent that hold the same operators in the same order,
// and whose names differ in their numbers only ("0-Block", "1-Block"). Private to this folder.
#pragma once

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Makes one group of them, whose leaves hold the nodes that stand in the same place.
void FoldRepeats(const Module& module, ScopeTree& tree);

}  // namespace sightline::ir
