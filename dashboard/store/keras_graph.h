// The graph of a Keras model, from the JSON that `model.to_json()` gives. Keras' TensorBoard
// callback records it in place of a GraphDef. Pure functions, callable from any thread.
#pragma once

#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/runs/model/run.h"

namespace sightline::dashboard {

inline constexpr std::string_view kKerasPlugin = "graph_keras_model";

// The series of Keras models. The newest value of each is a graph of the run.
std::vector<const Series*> KerasModelsOf(const Run& run);

// A node for each layer, in the scopes of the models that contain it. Of a layer's configuration,
// numbers, texts and lists of them become attributes. Reads the forms of Keras 1, 2 and 3;
// sequential models, models within models and layers that are called several times, too. kDataLoss
// if `json` is not JSON, is nested deeper than 256 levels, or has no layers.
Result<Graph> ParseKerasModel(std::string_view json);

}  // namespace sightline::dashboard
