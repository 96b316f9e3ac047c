// SummaryMonitor::Impl: the state of a run, and what the calls do with it. Private to collectors/.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/collectors/collect/landscape_collector.h"
#include "sightline/collectors/collect/step_collector.h"
#include "sightline/collectors/collect/system_scalars.h"
#include "sightline/collectors/facts/facts_writer.h"
#include "sightline/collectors/rules/nan_watch.h"
#include "sightline/collectors/summary_monitor.h"

namespace sightline {

// A disabled monitor has no recorder; every caller checks recording() first.
class SummaryMonitor::Impl {
 public:
  // `custom_lineage_recorded`: the directory has the options' custom lineage already.
  Impl(std::string directory, SummaryOptions options, std::unique_ptr<Recorder> recorder,
       bool custom_lineage_recorded);

  bool recording() const { return recorder_ != nullptr && !ended_; }

  // --- SummaryMonitor's methods of these names describe these ---
  void Begin(const TrainInfo& info);
  void EndStep(const StepInfo& info);
  void EndStep(std::int64_t step, FillStep fill, void* context);
  bool SelectsParameter(std::size_t index, std::string_view name) const {
    return collector_->Selects(index, name);
  }
  bool ShouldRecord(std::string_view tag, std::int64_t step, ValueKind kind) const;
  bool IsCheckpointDue(std::int64_t step) const {
    return landscape_ && landscape_->schedule().CheckpointAt(step).has_value();
  }
  void Log(std::int64_t step, std::span<const NamedScalar> scalars);
  void BeginEvaluation() { evaluation_began_ = clock_.MonotonicNanos(); }
  void EndEvaluation(std::int64_t step, std::span<const NamedScalar> metrics,
                     const EvaluationInfo& info);
  void SetModel(std::string_view path, std::optional<std::int64_t> bytes);
  void SetLastLoss(double loss) { last_loss_ = loss; }
  void End(TrainingEnd how);
  const CollectSpecifiedData& collected() const { return options_.collect_specified_data; }
  // The directory's, with the environment's pairs.
  const CustomLineage& custom_lineage() const { return options_.custom_lineage_data; }
  // Absolute while recording, since a training may change its working directory.
  const std::string& directory() const {
    return recorder_ != nullptr ? recorder_->directory() : directory_;
  }
  Recorder* recorder() const { return recorder_.get(); }
  std::int64_t thinned_steps() const { return thinned_steps_; }

  // Only the first graph of each kind is recorded. `serialize` returns the message, or why there is
  // none.
  template <typename Serialize>
  void RecordGraph(const Serialize& serialize) {
    if (!collected().collect_graph || std::exchange(graph_recorded_, true)) return;
    AddOrKeep(ValueKind::kGraph, serialize(), "graph");
  }
  template <typename Serialize>
  void RecordDatasetGraph(const Serialize& serialize) {
    if (!collected().collect_dataset_graph || std::exchange(dataset_graph_recorded_, true)) return;
    AddOrKeep(ValueKind::kDatasetGraph, serialize(), "dataset graph");
  }

  // The smallest step larger than `step` at which something is recorded or saved.
  std::int64_t NextAfter(std::int64_t step) const;

  // --- Errors; the first one is kept ---
  void Say(std::string_view line) const;
  void Keep(Status problem);
  void Warn(const Status& problem);
  void NoteUnknown();  // Without allocation.
  Status end_status() const { return end_status_; }

 private:
  // Decides whether the step is recorded, and what is recorded.
  CollectionDecision Decide(std::int64_t step);
  // Whether the decision records values of the kind, with any tag.
  bool Wants(const CollectionDecision& decision, ValueKind kind) const;
  // Whether values with this tag are collected at all; values under a trainer's own names always
  // are.
  bool Collects(std::string_view tag, ValueKind kind) const;
  void Collect(const StepInfo& info, const CollectionDecision& decision);
  void Charge(std::int64_t step, const CollectionDecision& decision, const ValueSources& heavy);
  void WarnOfEarlyStep(std::int64_t step);
  // Records the custom pairs, the first time only, and what is known of a training when it begins.
  void RecordSetUp();
  // Records how the training ended, for TensorBoard's HPARAMS page, if that has the set-up.
  void RecordTrainingEnd(TrainingEnd how);
  // Reports that recording pauses, as on a full disk, or that it continues.
  void SayWhetherPaused();
  void AddOrKeep(ValueKind kind, const Result<std::string>& message, std::string_view what);
  void Add(ValueKind kind, std::string_view message);
  void OpenLandscape();
  void StartSystemScalars();
  void KeepRunFacts();
  void NoteStep(std::int64_t step) {
    if (system_) system_->NoteStep(step);
  }
  void SaveCheckpoint(std::int64_t step);

  const std::string directory_;
  const SummaryOptions options_;
  const Clock& clock_;
  const std::unique_ptr<Recorder> recorder_;
  const pid_t process_ = getpid();
  const FrequencyTable frequencies_;
  CollectionPolicy policy_;
  CollectionState state_;
  CollectionDecision decision_;  // The last one.
  std::int64_t thinned_steps_ = 0;
  bool filling_ = false;  // A trainer's function is filling its step.
  NanWatch watch_;
  std::optional<StepCollector> collector_;
  std::optional<LandscapeCollector> landscape_;
  std::unique_ptr<SystemScalars> system_;  // Records into recorder_.
  std::optional<FactsWriter> facts_;
  TrainInfo train_;
  StepInfo info_;  // For steps that a function fills.
  std::optional<double> last_loss_;
  std::optional<std::int64_t> evaluation_began_;
  bool trained_ = false;         // There is a training to record.
  bool custom_pending_ = false;  // Custom pairs must still be recorded.
  bool set_up_recorded_ = false;
  bool graph_recorded_ = false;
  bool dataset_graph_recorded_ = false;
  bool ended_ = false;
  bool warned_of_early_step_ = false;
  bool said_paused_ = false;
  Status end_status_;
  Status problem_;
};

}  // namespace sightline
