// What SummaryMonitor is told about a training besides its steps; it becomes lineage. Everything is
// optional; an empty string or 0 is left out of the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sightline {

// A training; passed to Begin.
struct TrainInfo {
  std::int64_t epochs = 0;
  std::int64_t steps_per_epoch = 0;  // For this process; in data parallel training, its share.
  // MindSpore's data sink mode: EndStep is called once for each epoch, and steps count epochs.
  bool sink_mode = false;

  std::string network = {};  // Class names, as MindSpore writes them.
  std::string loss_function = {};
  std::string optimizer = {};
  std::optional<double> learning_rate = std::nullopt;  // At the start.
  std::int64_t batch_size = 0;

  // Processes that train together. Unless parallel_mode is "stand_alone", they share the steps
  // whose tensors are recorded by default.
  std::int64_t device_num = 1;
  std::string parallel_mode = "stand_alone";

  std::string dataset_path = {};
  std::int64_t dataset_size = 0;  // Samples.

  // The model that the training leaves. You can also pass it to SummaryMonitor::SetModel later.
  std::string model_path = {};
  std::int64_t model_bytes = 0;
};

// The data of an evaluation.
struct EvaluationInfo {
  std::string dataset_path = {};
  std::int64_t dataset_size = 0;  // Samples.
};

}  // namespace sightline
