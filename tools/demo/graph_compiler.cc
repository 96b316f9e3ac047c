#include "sightline/tools/demo/graph_compiler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::demo {
namespace {

// The type of a node's result, or of a parameter; unknown if the graph has no such name.
GraphType TypeOf(const Graph& graph, const std::string& name) {
  for (const GraphParameter& parameter : graph.parameters)
    if (parameter.name == name) return parameter.type;
  for (const GraphNode& node : graph.nodes)
    if (node.name == name) return node.outputs.front();
  return {};
}

// Adds the gradients of a forward graph, from the loss to the first operator.
class Gradients {
 public:
  explicit Gradients(Graph& graph) : graph_(graph) {}

  void Add() {
    const std::vector<GraphNode> forward = graph_.nodes;
    std::for_each(forward.rbegin(), forward.rend(),
                  [this](const GraphNode& node) { AddGradientOf(node); });
  }

  // Parameters with the names of their gradients, in the order in which these are computed.
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  void AddGradientOf(const GraphNode& node) {
    const std::string& input = node.inputs.front();
    if (node.op_type == "SoftmaxCrossEntropyWithLogits") {
      gradient_ = AddNode(node, "SoftmaxCrossEntropyGrad", node.inputs, input);
    } else if (node.op_type == "BiasAdd") {  // The gradient of its input is that of its result.
      AddParameter(node, "BiasAddGrad", {gradient_});
    } else if (node.op_type == "MatMul") {
      AddParameter(node, "MatMul", {input, gradient_}, {{"transpose_a", true}});
      gradient_ =
          AddNode(node, "MatMul", {gradient_, node.inputs[1]}, input, {{"transpose_b", true}});
    } else if (node.op_type == "Conv2D") {
      AddParameter(node, "Conv2DBackpropFilter", {gradient_, input}, node.attributes);
      const bool is_first = input == graph_.parameters.front().name;
      if (is_first) return;  // Nobody asks for the gradient of the image.
      gradient_ =
          AddNode(node, "Conv2DBackpropInput", {gradient_, node.inputs[1]}, input, node.attributes);
    } else if (node.op_type == "ReLU") {
      gradient_ = AddNode(node, "ReluGrad", {gradient_, node.name}, input);
    } else if (node.op_type == "MaxPool") {
      gradient_ =
          AddNode(node, "MaxPoolGrad", {input, node.name, gradient_}, input, node.attributes);
    } else if (node.op_type == "Reshape") {
      gradient_ = AddNode(node, "Reshape", {gradient_}, input);
    }
  }

  // The gradient of the parameter that `of` takes as its second input.
  void AddParameter(const GraphNode& of, std::string op_type, std::vector<std::string> inputs,
                    std::map<std::string, GraphValue> attributes = {}) {
    const std::string& parameter = of.inputs[1];
    parameters_.emplace_back(parameter, AddNode(of, std::move(op_type), std::move(inputs),
                                                parameter, std::move(attributes)));
  }

  // Adds the gradient of `of` by `by`, which has the type of `by`. Returns its name.
  std::string AddNode(const GraphNode& of, std::string op_type, std::vector<std::string> inputs,
                      const std::string& by, std::map<std::string, GraphValue> attributes = {}) {
    graph_.nodes.push_back({.name = "gradient." + by,
                            .op_type = std::move(op_type),
                            .scope = "Gradients/" + of.scope,
                            .inputs = std::move(inputs),
                            .attributes = std::move(attributes),
                            .outputs = {TypeOf(graph_, by)}});
    return graph_.nodes.back().name;
  }

  Graph& graph_;
  std::string gradient_;  // Of the last operator's input.
  std::vector<std::pair<std::string, std::string>> parameters_;
};

void AddUpdates(Graph& graph, const std::vector<std::pair<std::string, std::string>>& parameters) {
  const std::string scope = "Default/optimizer-Momentum";
  GraphNode all{.name = "updates", .op_type = "MakeTuple", .scope = scope};
  graph.parameters.push_back({"learning_rate", {DType::kFloat32, {}}});
  graph.parameters.push_back({"momentum", {DType::kFloat32, {}}});
  for (const auto& [parameter, gradient] : parameters) {
    const GraphType type = TypeOf(graph, parameter);
    const std::string velocity = "velocity." + parameter;
    graph.parameters.push_back({velocity, type});
    graph.nodes.push_back({.name = "update." + parameter,
                           .op_type = "ApplyMomentum",
                           .scope = scope,
                           .inputs = {parameter, velocity, "learning_rate", gradient, "momentum"},
                           .outputs = {type}});
    all.inputs.push_back(graph.nodes.back().name);
    all.outputs.push_back(type);
  }
  graph.nodes.push_back(std::move(all));
  // The loss, once all parameters are updated.
  const std::string& loss = graph.outputs.front();
  graph.nodes.push_back({.name = "step",
                         .op_type = "Depend",
                         .scope = "Default",
                         .inputs = {loss, "updates"},
                         .outputs = {TypeOf(graph, loss)}});
  graph.outputs = {"step"};
}

void RenameInputs(Graph& graph, const std::string& from, const std::string& to) {
  for (GraphNode& node : graph.nodes)
    std::replace(node.inputs.begin(), node.inputs.end(), from, to);
}

}  // namespace

void AddTraining(Graph& graph) {
  Gradients gradients(graph);
  gradients.Add();
  AddUpdates(graph, gradients.parameters());
}

void FuseBias(Graph& graph, const AfterStep& after_step) {
  for (std::size_t i = 1; i < graph.nodes.size();) {
    if (graph.nodes[i].op_type != "BiasAdd") {
      ++i;
      continue;
    }
    const GraphNode bias_add = graph.nodes[i];
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(i));
    GraphNode& fused = graph.nodes[i - 1];
    fused.inputs.push_back(bias_add.inputs[1]);
    RenameInputs(graph, bias_add.name, fused.name);
    after_step(fused);
  }
}

void MarkInPlace(Graph& graph, const AfterStep& after_step) {
  constexpr std::array<std::string_view, 3> kInPlace = {"ReLU", "ReluGrad",
                                                        "SoftmaxCrossEntropyGrad"};
  for (GraphNode& node : graph.nodes) {
    if (std::find(kInPlace.begin(), kInPlace.end(), node.op_type) == kInPlace.end()) continue;
    node.attributes["inplace"] = true;
    after_step(node);
  }
}

}  // namespace sightline::demo
