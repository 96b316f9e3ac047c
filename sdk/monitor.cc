#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/recorder/message/message.h"
#include "sightline/recorder/recorder_access.h"
#include "sightline/sdk/failure.h"
#include "sightline/sdk/monitor_options.h"
#include "sightline/sdk/recorder_handle.h"
#include "sightline/sdk/sized_struct.h"
#include "sightline/sdk/value.h"

struct sightline_monitor {
  sightline_monitor(std::unique_ptr<sightline::SummaryMonitor> created, bool tensorboard)
      : monitor(std::move(created)) {
    if (monitor->recorder() != nullptr) recorder.emplace(*monitor->recorder(), tensorboard);
  }

  std::unique_ptr<sightline::SummaryMonitor> monitor;
  std::optional<sightline_recorder> recorder;  // None if nothing is recorded.
  pid_t process = getpid();
  bool ended = false;
};

namespace sightline::sdk {
namespace {

// Calls work(SummaryMonitor&), which returns a Status, unless the monitor is null, closed, or the
// parent's of this process.
template <typename Work>
sightline_code WithOpen(sightline_monitor* monitor, const Work& work) noexcept {
  return Guarded(monitor, [&] {
    if (monitor == nullptr) return FailNull(nullptr, "monitor");
    if (monitor->ended) return Fail(monitor, SIGHTLINE_CLOSED, "the monitor has ended");
    if (monitor->process != getpid()) {
      return Fail(monitor, SIGHTLINE_CLOSED,
                  "the monitor belongs to the process from which this one was forked");
    }
    return Done(monitor, work(*monitor->monitor));
  });
}

Error Null(const char* name) {
  return {StatusCode::kInvalidArgument, fmt::format("{} is a null pointer", name)};
}

template <typename T>
void SetIf(bool is_given, T value, std::optional<T>& member) {
  if (is_given) member = value;
}

void SetText(const char* text, std::optional<std::string>& member) {
  if (text != nullptr) member = text;
}

TrainInfo TrainInfoOf(const sightline_training& given) {
  TrainInfo info;
  SetIf(given.epochs != 0, given.epochs, info.epochs);
  SetIf(given.steps_per_epoch != 0, given.steps_per_epoch, info.steps_per_epoch);
  SetIf(given.batch_size != 0, given.batch_size, info.batch_size);
  SetIf(given.device_num != 0, given.device_num, info.device_num);
  if (given.learning_rate != nullptr) info.learning_rate = *given.learning_rate;
  SetText(given.network, info.network);
  SetText(given.loss_function, info.loss_function);
  SetText(given.optimizer, info.optimizer);
  if (given.parallel_mode != nullptr) info.parallel_mode = given.parallel_mode;
  SetText(given.dataset_path, info.dataset_path);
  SetIf(given.dataset_size != 0, given.dataset_size, info.dataset_size);
  return info;
}

// Puts a value into the list of its kind; an error for one that a step does not have.
Status AddToStep(const TaggedValue& tagged, StepInfo& info) {
  const std::string_view name = tagged.tag.text();
  const Value& value = tagged.value;
  switch (value.kind) {
    case ValueKind::kScalar:
      info.scalars.push_back({name, value.scalar});
      return {};
    case ValueKind::kHistogram:
      info.histograms.Add(name, value.tensor);
      return {};
    case ValueKind::kTensor:
      info.tensors.Add(name, value.tensor);
      return {};
    case ValueKind::kImage:
      info.images.Add(name, value.tensor);
      return {};
    case ValueKind::kGraph:
    case ValueKind::kLandscape:
    case ValueKind::kTrainLineage:
    case ValueKind::kEvaluationLineage:
    case ValueKind::kDatasetGraph:
    case ValueKind::kCustomLineage:
    case ValueKind::kTensorBoardEvent:
      break;
  }
  return {StatusCode::kInvalidArgument,
          fmt::format("{}: a step has scalars, histograms, tensors and images; record others with "
                      "sightline_monitor_recorder",
                      name.empty() ? "a value" : name)};
}

// The values of a step, which its StepInfo borrows.
struct StepValues {
  ConvertedValues values;
  ConvertedValues parameters;
  ConvertedValues input;
};

// Fills `info` with what is right, and `errors` with what is not.
Status FillStep(const sightline_step& given, StepValues& all, StepInfo& info,
                std::vector<Status>& errors) {
  auto& [values, parameters, input] = all;
  SIGHTLINE_RETURN_IF_ERROR(ConvertValues(given.values, given.value_count, values));
  SIGHTLINE_RETURN_IF_ERROR(
      ConvertValues(given.parameters, given.parameter_count, parameters, SIGHTLINE_HISTOGRAM));
  SIGHTLINE_RETURN_IF_ERROR(
      ConvertValues(given.input, given.input == nullptr ? 0 : 1, input, SIGHTLINE_IMAGE));
  for (const ConvertedValues* some : {&values, &parameters, &input})
    errors.insert(errors.end(), some->errors.begin(), some->errors.end());
  for (const ConvertedValue& value : values.kept)
    if (Status status = AddToStep(value.tagged, info); !status.ok()) errors.push_back(status);
  for (const ConvertedValue& parameter : parameters.kept)
    info.parameters.Add(parameter.tagged.tag.text(), parameter.tagged.value.tensor);
  for (const ConvertedValue& image : input.kept) info.input.Set(image.tagged.value.tensor);
  return {};
}

std::vector<NamedScalar> ScalarsOf(const sightline_scalar* scalars, std::size_t count) {
  std::vector<NamedScalar> named;
  named.reserve(count);
  for (std::size_t i = 0; i < count; ++i) named.push_back({scalars[i].name, scalars[i].value});
  return named;
}

Status CheckScalars(const sightline_scalar* scalars, std::size_t count) {
  if (scalars == nullptr && count != 0) return Null("an array of sightline_scalar");
  for (std::size_t i = 0; i < count; ++i)
    if (scalars[i].name == nullptr) return Null("name of a sightline_scalar");
  return {};
}

Status CheckBytes(ValueKind kind, const void* data, std::size_t bytes) {
  if (data == nullptr) return Null("a message");
  return CheckMessage(kind, {static_cast<const char*>(data), bytes});
}

}  // namespace
}  // namespace sightline::sdk

namespace sdk = sightline::sdk;

sightline_code sightline_monitor_create(const char* directory,
                                        const sightline_monitor_options* options,
                                        sightline_monitor** monitor) {
  return sdk::Guarded(nullptr, [&] {
    if (monitor == nullptr) return sdk::FailNull(nullptr, "monitor");
    *monitor = nullptr;
    const auto taken = sdk::SummaryOptionsOf(options);
    if (!taken) return sdk::Done(nullptr, taken.error());
    auto created = sightline::SummaryMonitor::Create(directory == nullptr ? "" : directory, *taken);
    if (!created) return sdk::Done(nullptr, created.error());
    const bool writes_tensorboard = taken->formats.back() == sightline::Format::kTensorBoard;
    *monitor = new sightline_monitor(*std::move(created), writes_tensorboard);
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_monitor_begin(sightline_monitor* monitor,
                                       const sightline_training* training) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    if (training == nullptr) return sdk::Null("training");
    sightline_training taken{};
    SIGHTLINE_RETURN_IF_ERROR(sdk::TakeStruct(training, "sightline_training", taken));
    open.Begin(sdk::TrainInfoOf(taken));
    return {};
  });
}

sightline_code sightline_monitor_record_graph(sightline_monitor* monitor, const void* graph_proto,
                                              size_t bytes) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    SIGHTLINE_RETURN_IF_ERROR(sdk::CheckBytes(sightline::ValueKind::kGraph, graph_proto, bytes));
    open.RecordSerializedGraph({static_cast<const char*>(graph_proto), bytes});
    return {};
  });
}

sightline_code sightline_monitor_record_dataset_graph(sightline_monitor* monitor,
                                                      const void* dataset_graph, size_t bytes) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    SIGHTLINE_RETURN_IF_ERROR(
        sdk::CheckBytes(sightline::ValueKind::kDatasetGraph, dataset_graph, bytes));
    open.RecordSerializedDatasetGraph({static_cast<const char*>(dataset_graph), bytes});
    return {};
  });
}

int sightline_monitor_is_due(const sightline_monitor* monitor, int64_t step) {
  return monitor != nullptr && monitor->monitor->IsDue(step) ? 1 : 0;
}

int sightline_monitor_should_record(const sightline_monitor* monitor, const char* tag, int64_t step,
                                    int kind) {
  const auto recorded = sdk::RecordedKind(kind);
  return monitor != nullptr && tag != nullptr && recorded &&
                 monitor->monitor->ShouldRecord(tag, step, *recorded)
             ? 1
             : 0;
}

int sightline_monitor_selects_parameter(const sightline_monitor* monitor, size_t index,
                                        const char* name) {
  return monitor != nullptr && name != nullptr && monitor->monitor->SelectsParameter(index, name)
             ? 1
             : 0;
}

sightline_code sightline_monitor_end_step(sightline_monitor* monitor, const sightline_step* step) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    if (step == nullptr) return sdk::Null("step");
    sightline_step taken{};
    SIGHTLINE_RETURN_IF_ERROR(sdk::TakeStruct(step, "sightline_step", taken));
    sightline::StepInfo info;
    info.step = taken.step;
    if (taken.loss != nullptr) info.loss = *taken.loss;
    if (taken.learning_rate != nullptr) info.learning_rate = *taken.learning_rate;
    if (taken.batch_size != 0) info.batch_size = taken.batch_size;
    sdk::StepValues values;
    std::vector<sightline::Status> errors;
    sightline::Status status;
    if (open.IsDue(taken.step)) status = sdk::FillStep(taken, values, info, errors);
    open.EndStep(info);
    if (!status.ok()) errors.insert(errors.begin(), status);
    if (errors.empty()) return {};
    if (auto* const recorder = open.recorder(); recorder != nullptr) {
      for (const sightline::Status& error : errors)
        sightline::RecorderAccess::Refuse(*recorder, error, "");
    }
    return errors.front();
  });
}

sightline_code sightline_monitor_log(sightline_monitor* monitor, int64_t step,
                                     const sightline_scalar* scalars, size_t count) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    SIGHTLINE_RETURN_IF_ERROR(sdk::CheckScalars(scalars, count));
    open.Log(step, sdk::ScalarsOf(scalars, count));
    return {};
  });
}

sightline_code sightline_monitor_begin_evaluation(sightline_monitor* monitor) {
  return sdk::WithOpen(monitor, [](sightline::SummaryMonitor& open) -> sightline::Status {
    open.BeginEvaluation();
    return {};
  });
}

sightline_code sightline_monitor_end_evaluation(sightline_monitor* monitor, int64_t step,
                                                const sightline_scalar* metrics, size_t count,
                                                const char* dataset_path, int64_t dataset_size) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    SIGHTLINE_RETURN_IF_ERROR(sdk::CheckScalars(metrics, count));
    sightline::EvaluationInfo info;
    sdk::SetText(dataset_path, info.dataset_path);
    sdk::SetIf(dataset_size != 0, dataset_size, info.dataset_size);
    open.EndEvaluation(step, sdk::ScalarsOf(metrics, count), info);
    return {};
  });
}

sightline_code sightline_monitor_set_model(sightline_monitor* monitor, const char* path,
                                           int64_t bytes) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    if (path == nullptr) return sdk::Null("path");
    open.SetModel(path, bytes == 0 ? std::nullopt : std::optional(bytes));
    return {};
  });
}

sightline_code sightline_monitor_set_last_loss(sightline_monitor* monitor, double loss) {
  return sdk::WithOpen(monitor, [&](sightline::SummaryMonitor& open) -> sightline::Status {
    open.SetLastLoss(loss);
    return {};
  });
}

sightline_recorder* sightline_monitor_recorder(sightline_monitor* monitor) {
  return monitor != nullptr && monitor->recorder ? &*monitor->recorder : nullptr;
}

sightline_code sightline_monitor_end(sightline_monitor* monitor, int ending) {
  return sdk::Guarded(monitor, [&] {
    if (monitor == nullptr) return sdk::FailNull(nullptr, "monitor");
    if (ending < SIGHTLINE_ENDED_UNKNOWN || ending > SIGHTLINE_ENDED_IN_FAILURE) {
      return sdk::Fail(monitor, SIGHTLINE_INVALID_ARGUMENT,
                       fmt::format("ending is {}, which is no sightline_ending", ending));
    }
    if (monitor->process != getpid()) {
      return sdk::WithOpen(monitor, [](sightline::SummaryMonitor&) { return sightline::Status(); });
    }
    monitor->ended = true;
    return sdk::Done(monitor, monitor->monitor->End(static_cast<sightline::TrainingEnd>(ending)));
  });
}

void sightline_monitor_free(sightline_monitor* monitor) {
  if (monitor == nullptr) return;
  sdk::Forget(monitor);
  delete monitor;
}
