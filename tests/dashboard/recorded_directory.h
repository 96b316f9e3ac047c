// Runs for tests, recorded by Recorder: what is in them stands in one place.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard::testing {

// The loss of `steps` steps, 1/step, NaN at step 7; `accuracy` rises.
inline void RecordScalars(const std::string& directory, std::int64_t steps) {
  auto recorder = Recorder::Open(directory, {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  for (std::int64_t step = 1; step <= steps; ++step) {
    const double loss =
        step == 7 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / static_cast<double>(step);
    (*recorder)->AddScalar("loss", step, loss);
    (*recorder)->AddScalar("accuracy", step, static_cast<double>(step));
  }
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
}

inline Graph SmallGraph() {
  Graph graph;
  graph.name = "small";
  graph.parameters = {{"image", {DType::kFloat32, {1, 4}}}, {"weight", {DType::kFloat32, {4, 2}}}};
  graph.nodes = {{.name = "1",
                  .op_type = "MatMul",
                  .scope = "Default/net/fc",
                  .full_name = "Default/net/fc/MatMul-op1",
                  .inputs = {"image", "weight"},
                  .attributes = {{"transpose_b", true}},
                  .outputs = {{DType::kFloat32, {1, 2}}}},
                 {.name = "2",
                  .op_type = "ReLU",
                  .scope = "Default/net",
                  .full_name = "Default/net/ReLU-op2",
                  .inputs = {"1"},
                  .outputs = {{DType::kFloat32, {1, 2}}}},
                 {.name = "3",
                  .op_type = "Sum",
                  .scope = "Default",
                  .full_name = "Default/Sum-op3",
                  .inputs = {"2"},
                  .outputs = {{DType::kFloat32, {}}}}};
  graph.outputs = {"3"};
  return graph;
}

// One value of each heavy kind, a graph, lineage.
inline void RecordHeavy(const std::string& directory, const RecorderOptions& options = {}) {
  auto recorder = Recorder::Open(directory, options);
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  const std::vector<float> numbers = {0, 1, 2, 3, 4, 5};
  const std::vector<std::int64_t> shape = {2, 3};
  const std::vector<std::uint8_t> pixels = {0, 64, 128, 255};
  const std::vector<std::int64_t> picture = {1, 1, 2, 2};
  (*recorder)->AddTensor("weights", 5, View(numbers.data(), shape));
  (*recorder)->AddHistogram("spread", 5, View(numbers.data(), shape));
  (*recorder)->AddHistogram("spread", 6, View(numbers.data(), shape));
  (*recorder)->AddImage("input", 5, View(pixels.data(), picture));
  (*recorder)->AddScalar("loss", 5, 0.5);
  LossLandscape landscape;
  landscape.x = {0, 1};
  landscape.y = {0, 1, 2};
  landscape.z = {1, 2, 3, 4, 5, 6};
  landscape.unit = "epoch";
  (*recorder)->AddMessage("landscape", 6, ValueKind::kLandscape, *SerializeLandscape(landscape));
  (*recorder)->AddMessage("", 0, ValueKind::kGraph, *SerializeGraph(SmallGraph()));
  TrainLineage lineage;
  lineage.network = "SmallNet";
  lineage.learning_rate = 0.5;
  (*recorder)->AddMessage("", 0, ValueKind::kTrainLineage, SerializeTrainLineage(lineage));
  DatasetGraph dataset;
  dataset.parameters["op_type"] = std::string("Batch");
  (*recorder)->AddMessage("", 0, ValueKind::kDatasetGraph, *SerializeDatasetGraph(dataset));
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
}

}  // namespace sightline::dashboard::testing
