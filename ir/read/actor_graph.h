// Turns an actor set into a graph, above all for pictures.
//
// Each actor becomes a node with the actor's name. Its operator is that of the actor's kernel, or
// the kind of actor ("OutputActor"). Its scope is that of the kernel, below the block, or below the
// actor that it was fused into. Arrows of data become operands. So do arrows of control, with the
// type UMonad: they only fix the order. An arrow may lead back to an earlier actor, such as that of
// the last actor, which starts the next step.
#pragma once

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// The graph of an actor set; any other module is returned as it is. Arrows to actors that are not
// in the set are left out. Time and memory are in proportion to the size of the set.
Module ActorGraph(Module module);

}  // namespace sightline::ir
