#include "sightline/collectors/collect/lineage_collector.h"

namespace sightline {
namespace {

std::optional<std::int64_t> UnlessZero(std::int64_t number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

}  // namespace

TrainLineage TrainLineageOf(const TrainInfo& info, std::optional<double> last_loss) {
  return {.network = info.network,
          .optimizer = info.optimizer,
          .loss_function = info.loss_function,
          .learning_rate = info.learning_rate,
          .loss = last_loss,
          .epoch = UnlessZero(info.epochs),
          .batch_size = UnlessZero(info.batch_size),
          .parallel_mode = info.parallel_mode,
          .device_num = UnlessZero(info.device_num),
          .train_dataset_path = info.dataset_path,
          .train_dataset_size = UnlessZero(info.dataset_size),
          .model_path = info.model_path,
          .model_size = UnlessZero(info.model_bytes)};
}

EvaluationLineage EvaluationLineageOf(std::span<const NamedScalar> metrics,
                                      const EvaluationInfo& info) {
  EvaluationLineage lineage{.valid_dataset_path = info.dataset_path,
                            .valid_dataset_size = UnlessZero(info.dataset_size)};
  for (const NamedScalar& metric : metrics)
    lineage.metrics[std::string(metric.name)] = metric.value;
  return lineage;
}

}  // namespace sightline
