// The passes of a small compiler for the demo's network: from the forward graph (recording.h) to
// the operators that the demo's layers run (layers.h). --save-graphs dumps the graph after each
// pass.
//
// A pass changes the graph in place and goes through it in order. The network is a chain: each
// operator has one user.
#pragma once

#include <functional>

#include "sightline/recorder/message/graph.h"

namespace sightline::demo {

// Called after each step of a pass, with the graph as the step leaves it.
using AfterStep = std::function<void(const GraphNode& changed)>;

// Makes a step of training of the forward graph: adds the gradient of each operator and the update
// of each parameter by gradient descent with momentum.
void AddTraining(Graph& graph);

// Joins each BiasAdd with the operator before it, which takes the bias as its third input. A step
// is one BiasAdd.
void FuseBias(Graph& graph, const AfterStep& after_step);

// Marks what is computed in place with the attribute "inplace". A step is one operator.
void MarkInPlace(Graph& graph, const AfterStep& after_step);

}  // namespace sightline::demo
