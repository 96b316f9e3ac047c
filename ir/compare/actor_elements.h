// The elements of an actor set: its actors. Private to this folder.
//
// They are the same by their names without ids: "0_Default/f-Dense/MatMul-op0" counts kernels,
// "kernel_graph_0_OutputActor" graphs. Of the final set's actors the properties are the kernel,
// inputs, the actors that are waited for, and the fields below; of those in sections the section,
// and the fields with those that they are below ("output_data_arrows").
#pragma once

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

// REQUIRES: module.form is kActors or kActorSections.
ElementTable ListActorElements(const Module& module, TextPool& texts);

}  // namespace sightline::ir
