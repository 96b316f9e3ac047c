// SummaryMonitor: the callback that records a training run. The trainer tells it what happens. By
// the collection rules it decides which values are recorded, and passes them to a Recorder.
//
//   auto monitor = SummaryMonitor::Create("./run", {.collect_freq = 10});
//   if (!monitor) return monitor.error();
//   (*monitor)->Begin({.epochs = 3, .steps_per_epoch = 100, .network = "LeNet5"});
//   for (std::int64_t step = 1; step <= 300; ++step) {
//     const float loss = Train();
//     (*monitor)->EndStep(step, [&](StepInfo& info) {   // Runs only for a step that is recorded.
//       info.loss = loss;
//       info.parameters.Add("fc.weight", weight.data(), {64, 10});
//     });
//   }
//   Status ended = (*monitor)->End();
//
// Training is never disturbed: no method throws or makes the training fail, and a step that is not
// recorded costs a comparison. Errors are in Stats(), in the Status that End() returns, and in the
// line that End reports.
//
// One thread at a time; the Recorder's threads do the work. A process may have several monitors.
// With SIGHTLINE_DISABLE=1 in the environment nothing is created, and every call does nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sightline/base/status.h"
#include "sightline/collectors/collect/step_info.h"
#include "sightline/collectors/collect/train_info.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/training_end.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

class SummaryMonitor {
 public:
  // Opens the run's files in `summary_dir`, which is created if it is missing; empty:
  // DefaultSummaryDir(). `after` is a monitor of the same directory that has ended, for a trainer
  // that trains again; custom lineage that it recorded is not recorded again. Errors:
  // kInvalidArgument that names every bad option, and those of Recorder::Open.
  static Result<std::unique_ptr<SummaryMonitor>> Create(const std::string& summary_dir,
                                                        SummaryOptions options,
                                                        const SummaryMonitor* after = nullptr);

  // The same from a configuration file in MindFormers' form (summary_config.h). Its parameters take
  // precedence over `base`. Errors: also those of LoadSummaryConfig.
  static Result<std::unique_ptr<SummaryMonitor>> FromYaml(const std::string& path,
                                                          SummaryOptions base = {});

  // Calls End, with kFailure while an exception is on its way, else with kUnknown. Errors of End
  // are only reported, so call End first.
  ~SummaryMonitor();
  SummaryMonitor(const SummaryMonitor&) = delete;
  SummaryMonitor& operator=(const SummaryMonitor&) = delete;

  // Call this when a training begins. Without it, the lineage of the training has only the loss,
  // and tensors are sampled as for a training of unknown length.
  void Begin(const TrainInfo& info) noexcept;

  // Record the training graph, the first time only. The serialized form takes the bytes of a
  // GraphProto (recorder/message/graph.h), and records them unchanged.
  void RecordGraph(const Graph& graph) noexcept;
  void RecordSerializedGraph(std::string_view graph_proto) noexcept;

  // Record the pipeline of the training data, the first time only. The serialized form takes the
  // bytes of a DatasetGraph (recorder/message/lineage.h), and records them unchanged.
  void RecordDatasetGraph(const DatasetGraph& graph) noexcept;
  void RecordSerializedDatasetGraph(std::string_view dataset_graph) noexcept;

  // Call this at the end of a step. A NaN or infinite loss is noticed at every step, other values
  // at recorded steps only.
  void EndStep(const StepInfo& info) noexcept {
    if (IsDue(info.step) || (info.loss && *info.loss - *info.loss != 0)) [[unlikely]]
      EndDueStep(info);
  }

  // The same with a function, which is called as fill(StepInfo&) only if the step is recorded: for
  // other steps nothing is computed or fetched from a device.
  template <typename Fill>
  void EndStep(std::int64_t step, Fill&& fill) noexcept {
    if (!IsDue(step)) return;
    EndDueStep(
        step,
        [](void* context, StepInfo& info) {
          (*static_cast<std::remove_reference_t<Fill>*>(context))(info);
        },
        const_cast<void*>(static_cast<const void*>(std::addressof(fill))));
  }

  // Whether something may be recorded at this step. With SummaryOptions::frequencies in seconds,
  // also true for a step at which only the clock must be read.
  bool IsDue(std::int64_t step) const noexcept {
    return static_cast<std::uint64_t>(step) - quiet_begin_ >= quiet_steps_;
  }

  // Whether the histogram of this parameter is ever recorded; other parameters need not be passed.
  // `index` counts the trainable parameters from 0.
  bool SelectsParameter(std::size_t index, std::string_view name) const noexcept;

  // Whether a value with this tag would be recorded at the end of the step. Ask before you compute
  // or fetch it: before EndStep of this step, or in its function. `kind` is scalar, histogram,
  // image or tensor; histograms have the tag "<parameter>/auto".
  bool ShouldRecord(std::string_view tag, std::int64_t step,
                    ValueKind kind = ValueKind::kTensor) const noexcept {
    return IsDue(step) && ShouldRecordDue(tag, step, kind);
  }

  // Whether EndStep of this step will save a checkpoint for the loss landscape, with
  // SummaryOptions::save_checkpoint.
  bool IsCheckpointDue(std::int64_t step) const noexcept;

  // Records scalars under their own names at any step: Log(step, {{"gradient norm", 0.5}}).
  void Log(std::int64_t step, std::span<const NamedScalar> scalars) noexcept;
  void Log(std::int64_t step, std::initializer_list<NamedScalar> scalars) noexcept {
    Log(step, std::span(scalars.begin(), scalars.size()));
  }

  // Call this when an evaluation begins: until it ends, time does not count as step time. Without
  // this call, the next step time is not recorded.
  void BeginEvaluation() noexcept;

  // Call this when an evaluation ended after training step `step`. Each metric becomes a scalar
  // "eval/<name>", and all of them become one evaluation lineage.
  void EndEvaluation(std::int64_t step, std::span<const NamedScalar> metrics,
                     const EvaluationInfo& info = {}) noexcept;
  void EndEvaluation(std::int64_t step, std::initializer_list<NamedScalar> metrics,
                     const EvaluationInfo& info = {}) noexcept {
    EndEvaluation(step, std::span(metrics.begin(), metrics.size()), info);
  }

  // Sets the checkpoint that the training left, for its lineage.
  void SetModel(std::string_view path, std::optional<std::int64_t> bytes = std::nullopt) noexcept;

  // Sets the loss of the training's last step, for its lineage, if that step was not recorded.
  void SetLastLoss(double loss) noexcept;

  // Records the training's lineage (unless no step was recorded and Begin was not called), closes
  // the files, and reports the last line. OK if everything that was accepted is in the files.
  // Idempotent; afterwards the calls above do nothing. `how` is for TensorBoard's HPARAMS page.
  Status End(TrainingEnd how = TrainingEnd::kSuccess) noexcept;

  // What is collected, by the options and their defaults.
  const CollectSpecifiedData& collected() const;

  bool enabled() const { return recorder() != nullptr; }
  const std::string& directory() const;
  RecorderStats Stats() const;

  // How many steps had histograms, images or tensors left out because of
  // SummaryOptions::max_overhead.
  std::int64_t thinned_steps() const;

  // The recorder, for values of your own; null if recording is switched off. Lives as long as the
  // monitor.
  Recorder* recorder() const;

 private:
  using FillStep = void (*)(void* context, StepInfo& info);
  class Impl;
  explicit SummaryMonitor(std::unique_ptr<Impl> impl);

  template <typename Call>
  void Guarded(const Call& call) noexcept;
  void EndDueStep(const StepInfo& info) noexcept;
  void EndDueStep(std::int64_t step, FillStep fill, void* context) noexcept;
  void UpdateQuiet(std::int64_t step) noexcept;
  bool ShouldRecordDue(std::string_view tag, std::int64_t step, ValueKind kind) const noexcept;

  // The steps in [quiet_begin_, quiet_begin_ + quiet_steps_), modulo 2^64, are not recorded; all
  // others must be checked.
  std::uint64_t quiet_begin_ = 0;
  std::uint64_t quiet_steps_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
