// The elements of an actor set: its actors. Private to this folder.
//
// Actors are the same if their names without ids are equal: "0_Default/f-Dense/MatMul-op0" counts
// kernels, "kernel_graph_0_OutputActor" counts graphs. The properties of an actor of the final set
// are the kernel, the inputs, the actors that it waits for, and the fields below it. Those of an
// actor in a section are the section and the fields, with the fields that they are below
// ("output_data_arrows").
#pragma once

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

// REQUIRES: module.form is kActors or kActorSections.
ElementTable ListActorElements(const Module& module, TextPool& texts);

}  // namespace sightline::ir
