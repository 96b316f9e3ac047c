#include "sightline/collectors/collect/lineage_collector.h"

namespace sightline {
TrainLineage TrainLineageOf(const TrainInfo& info, std::optional<double> last_loss) {
  return {.network = info.network.value_or(""),
          .optimizer = info.optimizer.value_or(""),
          .loss_function = info.loss_function.value_or(""),
          .learning_rate = info.learning_rate,
          .loss = last_loss,
          .epoch = info.epochs,
          .batch_size = info.batch_size,
          .parallel_mode = info.parallel_mode,
          .device_num = info.device_num,
          .train_dataset_path = info.dataset_path.value_or(""),
          .train_dataset_size = info.dataset_size,
          .model_path = info.model_path.value_or(""),
          .model_size = info.model_bytes};
}

EvaluationLineage EvaluationLineageOf(std::span<const NamedScalar> metrics,
                                      const EvaluationInfo& info) {
  EvaluationLineage lineage{.valid_dataset_path = info.dataset_path.value_or(""),
                            .valid_dataset_size = info.dataset_size};
  for (const NamedScalar& metric : metrics)
    lineage.metrics[std::string(metric.name)] = metric.value;
  return lineage;
}

}  // namespace sightline
