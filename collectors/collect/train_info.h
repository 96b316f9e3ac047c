// What SummaryMonitor is told about a training besides its steps; it becomes lineage. What is not
// given is left out of the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sightline {

// A training; passed to Begin.
struct TrainInfo {
  std::optional<std::int64_t> epochs = std::nullopt;
  // For this process; in data parallel training, its share.
  std::optional<std::int64_t> steps_per_epoch = std::nullopt;
  // MindSpore's data sink mode: EndStep is called once for each epoch, and steps count epochs.
  bool sink_mode = false;

  std::optional<std::string> network = std::nullopt;  // Class names, as MindSpore writes them.
  std::optional<std::string> loss_function = std::nullopt;
  std::optional<std::string> optimizer = std::nullopt;
  std::optional<double> learning_rate = std::nullopt;  // At the start.
  std::optional<std::int64_t> batch_size = std::nullopt;

  // Processes that train together. Unless parallel_mode is "stand_alone", they share the steps
  // whose tensors are recorded by default.
  std::optional<std::int64_t> device_num = 1;
  std::string parallel_mode = "stand_alone";

  std::optional<std::string> dataset_path = std::nullopt;
  std::optional<std::int64_t> dataset_size = std::nullopt;  // Samples.

  // The model that the training leaves. You can also pass it to SummaryMonitor::SetModel later.
  std::optional<std::string> model_path = std::nullopt;
  std::optional<std::int64_t> model_bytes = std::nullopt;
};

// The data of an evaluation.
struct EvaluationInfo {
  std::optional<std::string> dataset_path = std::nullopt;
  std::optional<std::int64_t> dataset_size = std::nullopt;  // Samples.
};

}  // namespace sightline
