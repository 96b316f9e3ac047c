// Where two graphs could be matched otherwise, and as well: of a row of equal statements one is
// gone, and nothing tells which. Private to this folder.
//
// An element without a partner may take over the partner of another one of the same operator, which
// then has none; what goes with it - the rest of a block, a subgraph that it calls - follows.
// Where the second matching has fewer changes it is taken; where it has as many, all that changed
// partners is ambiguous. Candidates are found where elements without partners meet others: what
// stands there in the other graph. How changes count: matching_cost.h.
#pragma once

#include "sightline/ir/compare/matching_side.h"

namespace sightline::ir {

// Of the elements of `side` that have no partner. `ids_hold`: both graphs are of one run, so that
// an element of another name is another element. Gives up, and leaves things as they are, after a
// time in proportion to both graphs. Nothing recurses.
void FindAlternatives(MatchingSide& side, MatchingSide& other, bool ids_hold);

}  // namespace sightline::ir
