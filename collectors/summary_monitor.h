// SummaryMonitor: the callback that records a training run. It is told what happens, decides by the
// collection rules what of it is recorded, and hands that to a Recorder.
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
// Training is never disturbed: no method throws, none fails the training, and a step that is not
// recorded costs a comparison. What went wrong is in Stats(), in End()'s Status and in the line
// that End says.
//
// One thread at a time; the threads of the Recorder do the work. Several monitors may live in one
// process. With SIGHTLINE_DISABLE=1 in the environment nothing is created and every call does
// nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sightline/base/status.h"
#include "sightline/collectors/collection_policy.h"
#include "sightline/collectors/step_info.h"
#include "sightline/collectors/summary_options.h"
#include "sightline/collectors/train_info.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/training_end.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

class SummaryMonitor {
 public:
  // Opens the run's files in `summary_dir`, created when missing; empty: DefaultSummaryDir().
  // `after`: a monitor of the same directory that has ended, as a trainer that trains again has it;
  // custom lineage that it recorded is not recorded a second time.
  // Errors: kInvalidArgument naming every bad option, and what Recorder::Open reports.
  static Result<std::unique_ptr<SummaryMonitor>> Create(const std::string& summary_dir,
                                                        SummaryOptions options,
                                                        const SummaryMonitor* after = nullptr);

  // The same from a configuration file in MindFormers' form (summary_config.h), whose parameters
  // win over `base`. Errors: also those of LoadSummaryConfig.
  static Result<std::unique_ptr<SummaryMonitor>> FromYaml(const std::string& path,
                                                          SummaryOptions base = {});

  // Ends, with kFailure while an exception is on its way, else with kUnknown; errors of that are
  // only said, so call End first.
  ~SummaryMonitor();
  SummaryMonitor(const SummaryMonitor&) = delete;
  SummaryMonitor& operator=(const SummaryMonitor&) = delete;

  // A training begins. Without it, its lineage names nothing but the loss, and tensors are sampled
  // as for an unknown length.
  void Begin(const TrainInfo& info) noexcept;

  // The training graph, recorded the first time. Serialized: the bytes of a GraphProto
  // (recorder/message/graph.h), recorded as they are.
  void RecordGraph(const Graph& graph) noexcept;
  void RecordSerializedGraph(std::string_view graph_proto) noexcept;

  // The training data's pipeline, recorded the first time. Serialized: the bytes of a DatasetGraph
  // (recorder/message/lineage.h), recorded as they are.
  void RecordDatasetGraph(const DatasetGraph& graph) noexcept;
  void RecordSerializedDatasetGraph(std::string_view dataset_graph) noexcept;

  // A step ended. A NaN or infinite loss is noticed at every step, the rest at steps that are
  // recorded.
  void EndStep(const StepInfo& info) noexcept {
    if (IsDue(info.step) || (info.loss && *info.loss - *info.loss != 0)) [[unlikely]]
      EndDueStep(info);
  }

  // The same with a function that is called, as fill(StepInfo&), only when the step is recorded:
  // nothing is computed or fetched from a device for the others.
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

  // Whether something of the step may be recorded. With SummaryOptions::frequencies in seconds,
  // true also for a step that is only worth a look at the clock.
  bool IsDue(std::int64_t step) const noexcept {
    return static_cast<std::uint64_t>(step) - quiet_begin_ >= quiet_steps_;
  }

  // Whether the histogram of this parameter is recorded at all, so that the others need not be
  // given. `index` counts the trainable parameters from 0.
  bool SelectsParameter(std::size_t index, std::string_view name) const noexcept;

  // Whether a value of the tag would be recorded at the step's end, asked before it is computed or
  // fetched: before EndStep of the step, or in its function. `kind`: scalar, histogram, image or
  // tensor; histograms have the tag "<parameter>/auto".
  bool ShouldRecord(std::string_view tag, std::int64_t step,
                    ValueKind kind = ValueKind::kTensor) const noexcept {
    return IsDue(step) && ShouldRecordDue(tag, step, kind);
  }

  // Whether EndStep of the step will save a checkpoint for the loss landscape, by
  // SummaryOptions::save_checkpoint.
  bool IsCheckpointDue(std::int64_t step) const noexcept;

  // Scalars under their own names, whatever the step: Log({{"gradient norm", 0.5}}, step).
  void Log(std::span<const NamedScalar> scalars, std::int64_t step) noexcept;
  void Log(std::initializer_list<NamedScalar> scalars, std::int64_t step) noexcept {
    Log(std::span(scalars.begin(), scalars.size()), step);
  }

  // An evaluation begins: until it ends, time does not count as step time. May be left out, then
  // the next step time is not recorded.
  void BeginEvaluation() noexcept;

  // An evaluation ended after training step `step`; each metric becomes a scalar "eval/<name>" and
  // all of them one evaluation lineage.
  void EndEvaluation(std::span<const NamedScalar> metrics, std::int64_t step,
                     const EvaluationInfo& info = {}) noexcept;
  void EndEvaluation(std::initializer_list<NamedScalar> metrics, std::int64_t step,
                     const EvaluationInfo& info = {}) noexcept {
    EndEvaluation(std::span(metrics.begin(), metrics.size()), step, info);
  }

  // The checkpoint that the training left, for its lineage.
  void SetModel(std::string_view path, std::int64_t bytes) noexcept;

  // The loss of the training's last step, for its lineage, where that step was not recorded.
  void SetLastLoss(double loss) noexcept;

  // Records the training's lineage (unless no step was recorded and Begin was not called), closes
  // the files, says the last line. OK when everything accepted is in the files. Idempotent; the
  // calls above do nothing afterwards. `how` is for TensorBoard's HPARAMS page.
  Status End(TrainingEnd how = TrainingEnd::kSuccess) noexcept;

  // What is collected, as the options and their defaults say.
  const CollectSpecifiedData& collected() const;

  bool enabled() const { return recorder() != nullptr; }
  const std::string& directory() const;
  RecorderStats Stats() const;

  // Steps of which SummaryOptions::max_overhead left out histograms, images or tensors.
  std::int64_t thinned_steps() const;

  // For values of your own; null when recording is switched off. Lives as long as the monitor.
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

  // Steps of [quiet_begin_, quiet_begin_ + quiet_steps_), modulo 2^64, are not recorded; the rest
  // is looked at.
  std::uint64_t quiet_begin_ = 0;
  std::uint64_t quiet_steps_ = 0;
  std::unique_ptr<Impl> impl_;
  CustomLineage custom_lineage_;  // What the directory has, the environment's included.
};

}  // namespace sightline
