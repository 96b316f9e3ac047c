#include "sightline/tools/demo/recording.h"

#include <string>
#include <utility>

#include "sightline/base/version.h"

namespace sightline::demo {
namespace {

using Net = DigitsNet<float>;

constexpr int kBatch = DigitsTrainer::kBatchSize;
constexpr int kHalf = kImageSide / 2;
constexpr int kQuarter = kImageSide / 4;

GraphType Floats(std::vector<std::int64_t> shape) { return {DType::kFloat32, std::move(shape)}; }

// An operator of the network, whose output is float32 of the shape.
GraphNode Operator(std::string name, std::string op_type, std::string scope,
                   std::vector<std::string> inputs, std::vector<std::int64_t> shape) {
  return {.name = std::move(name),
          .op_type = std::move(op_type),
          .scope = "Default/network/" + std::move(scope),
          .inputs = std::move(inputs),
          .outputs = {Floats(std::move(shape))}};
}

// A convolution, its ReLU and its pooling.
void AppendConvBlock(std::vector<GraphNode>& nodes, const std::string& name,
                     const std::string& input, int side, int channels) {
  nodes.push_back(
      Operator(name, "Conv2D", name, {input, name + ".weight"}, {kBatch, side, side, channels}));
  nodes.back().attributes = {
      {"kernel_size", {3, 3}}, {"stride", {1, 1}}, {"pad_mode", "same"}, {"format", "NHWC"}};
  nodes.push_back(Operator(name + ".bias_add", "BiasAdd", name, {name, name + ".bias"},
                           {kBatch, side, side, channels}));
  nodes.push_back(
      Operator(name + ".relu", "ReLU", name, {name + ".bias_add"}, {kBatch, side, side, channels}));
  nodes.push_back(Operator(name + ".pool", "MaxPool", name, {name + ".relu"},
                           {kBatch, side / 2, side / 2, channels}));
  nodes.back().attributes = {{"kernel_size", {2, 2}}, {"strides", {2, 2}}};
}

void AppendDense(std::vector<GraphNode>& nodes, const std::string& name, const std::string& input,
                 int outputs) {
  nodes.push_back(Operator(name, "MatMul", name, {input, name + ".weight"}, {kBatch, outputs}));
  nodes.push_back(
      Operator(name + ".bias_add", "BiasAdd", name, {name, name + ".bias"}, {kBatch, outputs}));
}

}  // namespace

SummaryOptions RecordEverything(std::vector<Format> formats) {
  SummaryOptions options;
  options.collect_freq = 1;
  options.collect_tensor_freq = 1;
  options.collect_specified_data.histogram_regular = ".*";
  options.custom_lineage_data = {{"data", "UCI handwritten digits"},
                                 {"program", "sightline demo"},
                                 {"version", std::string(Version())},
                                 {"threads", std::int64_t{1}},
                                 {"momentum", 0.9}};
  options.export_options.tensor_format = TensorFormat::kNpy;
  options.formats = std::move(formats);
  return options;
}

TrainInfo Describe(const DigitsTrainer& trainer) {
  return {.epochs = trainer.epochs(),
          .steps_per_epoch = trainer.steps_per_epoch(),
          .network = "DigitsNet",
          .loss_function = "SoftmaxCrossEntropy",
          .optimizer = "Momentum",
          .learning_rate = DigitsTrainer::kFirstLearningRate,
          .batch_size = kBatch,
          .dataset_path = "tools/demo/data/digits.csv.gz",
          .dataset_size = trainer.train_images()};
}

Graph DescribeNetwork(DigitsTrainer& trainer) {
  Graph graph{.name = "DigitsNet",
              .parameters = {{"image", Floats({kBatch, 1, kImageSide, kImageSide})},
                             {"class", {DType::kUint8, {kBatch}}}}};
  for (const Parameter<float>* parameter : trainer.net().Parameters()) {
    graph.parameters.push_back({parameter->name, Floats(parameter->shape)});
  }
  AppendConvBlock(graph.nodes, "conv1", "image", kImageSide, Net::kConv1Channels);
  AppendConvBlock(graph.nodes, "conv2", "conv1.pool", kHalf, Net::kConv2Channels);
  graph.nodes.push_back(
      Operator("flatten", "Reshape", "flatten", {"conv2.pool"},
               {kBatch, std::int64_t{kQuarter} * kQuarter * Net::kConv2Channels}));
  AppendDense(graph.nodes, "dense1", "flatten", Net::kHidden);
  graph.nodes.push_back(
      Operator("dense1.relu", "ReLU", "dense1", {"dense1.bias_add"}, {kBatch, Net::kHidden}));
  AppendDense(graph.nodes, "dense2", "dense1.relu", kClasses);
  graph.nodes.push_back(Operator("loss", "SoftmaxCrossEntropyWithLogits", "loss",
                                 {"dense2.bias_add", "class"}, {kBatch}));
  graph.outputs = {"loss"};
  return graph;
}

void FillStep(DigitsTrainer& trainer, StepInfo& info) {
  if (info.wants_scalars) {
    info.losses.Set(trainer.losses().data(), {kBatch});
    info.learning_rate = trainer.learning_rate();
    info.scalars.push_back({"accuracy", trainer.accuracy()});
  }
  if (info.wants_input)
    info.input.Set(trainer.images().data(), {kBatch, 1, kImageSide, kImageSide});
  if (info.wants_histograms) {
    for (const Parameter<float>* parameter : trainer.net().Parameters()) {
      info.parameters.Add(parameter->name,
                          {DType::kFloat32, parameter->shape, parameter->value.data()});
    }
  }
  if (info.wants_tensors) {
    // The features of every image of the batch, from which the last layer decides.
    info.tensors.Add("activation/dense1", trainer.net().dense1_activation().data(),
                     {kBatch, Net::kHidden});
  }
}

}  // namespace sightline::demo
