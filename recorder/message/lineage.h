// Lineage: what a training run was made from and what came out. Four messages, each one value of a
// Recorder: MindSpore's second file holds them, TensorBoard shows them as text and as
// hyper-parameters.
//
// Plain values and pure functions: callable from any thread.
//
//   TrainLineage lineage;
//   lineage.network = "LeNet5";
//   lineage.learning_rate = 0.01;
//   recorder->AddMessage(ValueKind::kTrainLineage, "", 0, SerializeTrainLineage(lineage));
//
// In all of them an empty string or optional is left out. Integers are int32 in the files: what is
// beyond is cut to that range, unless said otherwise. Text that is not UTF-8 is replaced as in
// tags.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

struct TrainLineage {
  std::string network = {};  // Class names, as MindSpore writes them: "LeNet5", "Momentum".
  std::string optimizer = {};
  std::string loss_function = {};
  std::optional<double> learning_rate = {};  // float32 in the file, as the loss.
  std::optional<double> loss = {};           // The last one.
  std::optional<std::int64_t> epoch = {};
  std::optional<std::int64_t> batch_size = {};
  std::string parallel_mode = {};  // "stand_alone", "data_parallel", ...
  std::optional<std::int64_t> device_num = {};
  std::string train_dataset_path = {};
  std::optional<std::int64_t> train_dataset_size = {};  // Samples.
  std::string model_path = {};
  std::optional<std::int64_t> model_size = {};  // Bytes; int64 in the file.

  bool operator==(const TrainLineage&) const = default;
};

struct EvaluationLineage {
  std::map<std::string, double> metrics = {};
  std::string valid_dataset_path = {};
  std::optional<std::int64_t> valid_dataset_size = {};  // Samples.

  bool operator==(const EvaluationLineage&) const = default;
};

// A pair of the user's: hyper-parameters, versions, notes. Integers beyond int32 become doubles
// where a double holds them exactly (up to 2^53), else text.
using LineageValue = std::variant<std::int64_t, double, std::string>;
using CustomLineage = std::map<std::string, LineageValue>;

// The dataset pipeline: the stage that delivers batches is the root, its sources are its children.
struct DatasetGraph {
  using Parameter = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
  struct Operation {
    std::map<std::string, Parameter> parameters = {};
    std::vector<std::int32_t> size = {};
    std::vector<float> weights = {};

    bool operator==(const Operation&) const = default;
  };

  std::vector<DatasetGraph> children = {};
  std::map<std::string, Parameter> parameters =
      {};                                  // "op_type" names the stage: "Batch", "Map", "Shuffle".
  std::vector<Operation> operations = {};  // Of a Map: "tensor_op_name", "tensor_op_params".
  std::optional<Operation> sampler = {};

  bool operator==(const DatasetGraph&) const = default;
};

std::string SerializeTrainLineage(const TrainLineage& lineage);
std::string SerializeEvaluationLineage(const EvaluationLineage& lineage);
std::string SerializeCustomLineage(const CustomLineage& pairs);
// kInvalidArgument for a pipeline of more than 64 stages in a row: readers stop at about 100.
Result<std::string> SerializeDatasetGraph(const DatasetGraph& graph);

// Back from the messages, MindSpore's own included; kDataLoss for bytes that are no such message.
// What the structs have no place for is left out (metrics that are no numbers, nested custom data).
Result<TrainLineage> ParseTrainLineage(std::string_view message);
Result<EvaluationLineage> ParseEvaluationLineage(std::string_view message);
Result<CustomLineage> ParseCustomLineage(std::string_view message);
Result<DatasetGraph> ParseDatasetGraph(std::string_view message);

}  // namespace sightline
