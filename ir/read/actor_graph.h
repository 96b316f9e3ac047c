// An actor set as a graph, for what shows graphs: pictures above all.
//
// A node is an actor. Its operator is its kernel's, or what kind of actor it is ("OutputActor");
// its name is the actor's, its scope that of its kernel, below the block or the actor of a fusion
// that it belongs to. Data arrows are operands, and so are the arrows of control, of type UMonad:
// they say only what comes first. Arrows may lead to an actor that stands above, as the last one's
// do that lets the next step begin.
#pragma once

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Of an actor set; of any other module the module itself. Arrows to actors that are not in the set
// are left out. Time and memory are in proportion to the set's.
Module ActorGraph(Module module);

}  // namespace sightline::ir
