// Lineage: what a training run was made from, and what came out of it. There are four messages;
// each is one value for a Recorder. MindSpore's second file contains them, and TensorBoard shows
// them as text and as hyper-parameters.
//
// Plain values and pure functions; any thread may call them.
//
//   TrainLineage lineage;
//   lineage.network = "LeNet5";
//   lineage.learning_rate = 0.01;
//   recorder->AddMessage("", 0, ValueKind::kTrainLineage, SerializeTrainLineage(lineage));
//
// Empty strings and optionals are not written. Integers are int32 in the files; larger ones become
// the nearest int32, unless a comment says otherwise. Bytes that are not UTF-8 are replaced as in
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
  std::optional<double> learning_rate = {};  // float32 in the file, like the loss.
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

// Pairs of a name and a value that the user chooses: hyper-parameters, versions, notes. An integer
// beyond int32 becomes a double if that is exact (up to 2^53), and text otherwise.
using LineageValue = std::variant<std::int64_t, double, std::string>;
using CustomLineage = std::map<std::string, LineageValue>;

// The dataset pipeline. The root is the stage that delivers batches; the children of a stage are
// its sources.
struct DatasetGraph {
  using Parameter = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
  struct Operation {
    std::map<std::string, Parameter> parameters = {};
    std::vector<std::int32_t> size = {};
    std::vector<float> weights = {};

    bool operator==(const Operation&) const = default;
  };

  std::vector<DatasetGraph> children = {};
  // "op_type" names the stage: "Batch", "Map", "Shuffle".
  std::map<std::string, Parameter> parameters = {};
  // The operations of a Map, with the parameters "tensor_op_name" and "tensor_op_params".
  std::vector<Operation> operations = {};
  std::optional<Operation> sampler = {};

  bool operator==(const DatasetGraph&) const = default;
};

std::string SerializeTrainLineage(const TrainLineage& lineage);
std::string SerializeEvaluationLineage(const EvaluationLineage& lineage);
std::string SerializeCustomLineage(const CustomLineage& pairs);
// kInvalidArgument if the pipeline has more than 64 stages in a row, since readers stop at about
// 100 levels.
Result<std::string> SerializeDatasetGraph(const DatasetGraph& graph);

// These parse the messages, also those that MindSpore made. Data for which the structs have no
// place is left out (metrics that are not numbers, nested custom data). kDataLoss for bytes of
// another form.
Result<TrainLineage> ParseTrainLineage(std::string_view message);
Result<EvaluationLineage> ParseEvaluationLineage(std::string_view message);
Result<CustomLineage> ParseCustomLineage(std::string_view message);
Result<DatasetGraph> ParseDatasetGraph(std::string_view message);

}  // namespace sightline
