#include "sightline/collectors/summary_monitor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "sightline/collectors/collection_plan.h"
#include "sightline/collectors/hyper_config.h"
#include "sightline/collectors/landscape_collector.h"
#include "sightline/collectors/lineage_collector.h"
#include "sightline/collectors/run_report.h"
#include "sightline/collectors/step_collector.h"
#include "sightline/collectors/summary_config.h"

namespace sightline {
namespace {

bool IsDisabled() {
  const char* const value = std::getenv("SIGHTLINE_DISABLE");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

// Why this process does not record; empty where it does.
std::string WhyNot(const SummaryOptions& options) {
  if (IsDisabled()) return "recording is switched off by SIGHTLINE_DISABLE";
  if (!options.ranks) return "";
  const std::int64_t rank = RankOf(options.recorder);
  const auto& ranks = *options.ranks;
  if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) return "";
  return fmt::format("rank {} does not record: ranks = [{}]", rank, fmt::join(ranks, ", "));
}

// 0 when unknown; as large as can be when it does not fit.
std::int64_t TotalSteps(const TrainInfo& info) {
  if (info.epochs <= 0 || (info.steps_per_epoch <= 0 && !info.sink_mode)) return 0;
  const TrainingLength length{info.epochs, info.steps_per_epoch, info.sink_mode};
  return length.total();
}

CollectionRules RulesOf(const SummaryOptions& options, const TrainInfo& info) {
  const bool parallel = info.parallel_mode != "stand_alone" && info.device_num > 1;
  return {options.collect_freq,           options.collect_tensor_freq, TotalSteps(info),
          parallel ? info.device_num : 1, options.frequencies,         options.max_overhead};
}

}  // namespace

// A disabled monitor has no recorder; every call looks at that first.
class SummaryMonitor::Impl {
 public:
  Impl(std::string directory, SummaryOptions options, std::unique_ptr<Recorder> recorder)
      : directory_(std::move(directory)),
        options_(std::move(options)),
        clock_(*options_.recorder.clock),
        recorder_(std::move(recorder)),
        frequencies_(options_.frequencies),
        policy_(RulesOf(options_, {})),
        watch_(options_.on_nonfinite) {
    if (recorder_ == nullptr) return;
    collector_.emplace(
        *recorder_, watch_, options_.collect_specified_data, frequencies_,
        ParameterSelection::Make(options_.collect_specified_data.histogram_regular).value(),
        [this](std::string_view line) { Say(line); });
    Say(StartLine(directory_, options_, recorder_->continues_session()));
    OpenLandscape();
    if (!options_.custom_lineage_data.empty()) {
      Add(ValueKind::kCustomLineage, SerializeCustomLineage(options_.custom_lineage_data));
    }
  }

  void Say(std::string_view line) const {
    try {
      options_.say(line);
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell.
    }
  }

  bool recording() const { return recorder_ != nullptr && !ended_; }

  void Begin(const TrainInfo& info) {
    trained_ = true;
    train_ = info;
    state_ = {};
    policy_ = CollectionPolicy(RulesOf(options_, info));
    if (!landscape_) return;
    landscape_->Begin(info);
    if (landscape_->schedule().empty()) {
      Say("no checkpoint is saved for the loss landscape: none of collect_landscape's intervals is "
          "reached at the end of a step, as far as epochs and steps_per_epoch tell");
    }
  }

  // `serialize` gives the message, or why there is none.
  template <typename Serialize>
  void RecordGraph(const Serialize& serialize) {
    if (!options_.collect_specified_data.collect_graph || graph_recorded_) return;
    graph_recorded_ = true;
    AddOrKeep(ValueKind::kGraph, serialize(), "graph");
  }

  template <typename Serialize>
  void RecordDatasetGraph(const Serialize& serialize) {
    if (!options_.collect_specified_data.collect_dataset_graph || dataset_graph_recorded_) return;
    dataset_graph_recorded_ = true;
    AddOrKeep(ValueKind::kDatasetGraph, serialize(), "dataset graph");
  }

  bool SelectsParameter(std::size_t index, std::string_view name) const {
    return collector_->Selects(index, name);
  }

  // Whether the step is recorded, and what of it.
  CollectionDecision Decide(std::int64_t step) {
    if (step < options_.resume_from_step.value_or(step)) WarnOfEarlyStep(step);
    decision_ = policy_.Decide(step, clock_.MonotonicNanos(), state_);
    if (decision_.thinned.any()) ++thinned_steps_;
    return decision_;
  }

  bool ShouldRecord(std::string_view tag, std::int64_t step, ValueKind kind) const {
    const bool decided = filling_ && step == info_.step;
    const CollectionDecision decision =
        decided ? decision_ : policy_.Peek(step, clock_.MonotonicNanos(), state_);
    return Collects(tag, kind) && decision.Records(kind, frequencies_.Find(kind, tag));
  }

  void EndStep(const StepInfo& info) {
    // Also where the step is not recorded.
    if (info.loss) watch_.Check("loss/auto", info.step, *info.loss);
    const CollectionDecision decision = Decide(info.step);
    if (!decision.nothing()) Collect(info, decision);
    SaveCheckpoint(info.step);
  }

  void EndStep(std::int64_t step, FillStep fill, void* context) {
    filling_ = false;  // The function may have thrown the last time.
    const CollectionDecision decision = Decide(step);
    if (!decision.nothing()) {
      info_.Clear();
      info_.step = step;
      info_.wants_scalars = Wants(decision, ValueKind::kScalar);
      info_.wants_histograms = Wants(decision, ValueKind::kHistogram);
      info_.wants_images = Wants(decision, ValueKind::kImage);
      info_.wants_input = info_.wants_images && collector_->wants_input();
      info_.wants_tensors = Wants(decision, ValueKind::kTensor);
      filling_ = true;
      fill(context, info_);
      filling_ = false;
      info_.step = step;
      Collect(info_, decision);
    }
    SaveCheckpoint(step);
  }

  // Within a step, its time is the step's.
  void Log(std::span<const NamedScalar> scalars, std::int64_t step) {
    const bool charged = policy_.has_budget() && !filling_;
    const std::int64_t begin = charged ? clock_.MonotonicNanos() : 0;
    collector_->CollectScalars(step, "", scalars);
    if (charged) state_.between_nanos += clock_.MonotonicNanos() - begin;
  }

  void BeginEvaluation() { evaluation_began_ = clock_.MonotonicNanos(); }

  void EndEvaluation(std::span<const NamedScalar> metrics, std::int64_t step,
                     const EvaluationInfo& info) {
    if (options_.collect_specified_data.collect_metric)
      collector_->CollectScalars(step, "eval/", metrics);
    if (options_.collect_specified_data.collect_eval_lineage) {
      Add(ValueKind::kEvaluationLineage,
          SerializeEvaluationLineage(EvaluationLineageOf(metrics, info)));
    }
    if (evaluation_began_) {
      state_.paused_nanos += clock_.MonotonicNanos() - *evaluation_began_;
      evaluation_began_.reset();
    } else {
      state_.last_nanos.reset();  // How long it took is not known: the next step has no step time.
    }
  }

  void SetModel(std::string_view path, std::int64_t bytes) {
    train_.model_path = path;
    train_.model_bytes = bytes;
  }

  void SetLastLoss(double loss) { last_loss_ = loss; }

  void End() {
    ended_ = true;
    if (process_ != getpid()) return;  // A forked child: the run is its parent's.
    if (options_.collect_specified_data.collect_train_lineage && trained_) {
      Add(ValueKind::kTrainLineage, SerializeTrainLineage(TrainLineageOf(train_, last_loss_)));
    }
    const Status closed = recorder_->Close();
    end_status_ = closed.ok() ? problem_ : closed;
    Say(EndLine(directory_, recorder_->Stats(), closed, problem_, watch_.first(), thinned_steps_));
  }

  Status end_status() const { return end_status_; }

  // The first problem stays.
  void Keep(Status problem) {
    if (problem_.ok()) problem_ = std::move(problem);
  }

  void Warn(const Status& problem) {
    if (!recording()) return;
    Say(problem.message());
    Keep(problem);
  }

  // Without allocation.
  void NoteUnknown() {
    static const Status unknown(
        StatusCode::kFailedPrecondition,
        "something was not recorded, because of an unknown exception or for want of memory");
    if (problem_.ok()) problem_ = unknown;
  }

  // The smallest step larger than `step` of which something is recorded or saved.
  std::int64_t NextAfter(std::int64_t step) const {
    const std::int64_t next = policy_.NextAfter(step, state_);
    return landscape_ ? std::min(next, landscape_->schedule().NextAfter(step)) : next;
  }
  bool IsCheckpointDue(std::int64_t step) const {
    return landscape_ && landscape_->schedule().CheckpointAt(step).has_value();
  }
  const CollectSpecifiedData& collected() const { return options_.collect_specified_data; }
  // Absolute while recording: a training may change its working directory.
  const std::string& directory() const {
    return recorder_ != nullptr ? recorder_->directory() : directory_;
  }
  Recorder* recorder() const { return recorder_.get(); }
  std::int64_t thinned_steps() const { return thinned_steps_; }

 private:
  // Whether the decision records a value of the kind, under some tag.
  bool Wants(const CollectionDecision& decision, ValueKind kind) const {
    for (std::size_t i = 0; i < options_.frequencies.size(); ++i) {
      const Frequency& frequency = options_.frequencies[i];
      if (frequency.kind && *frequency.kind != kind) continue;
      if (decision.Records(kind, static_cast<int>(i))) return true;
      if (frequency.Covers(kind)) return false;  // What comes behind it is for none.
    }
    return decision.Records(kind, FrequencyTable::kNone);
  }

  // Whether values of the tag are collected at all: what a trainer gives under its own name is.
  bool Collects(std::string_view tag, ValueKind kind) const {
    const CollectSpecifiedData& data = options_.collect_specified_data;
    if (!tag.ends_with("/auto")) return true;
    return (kind != ValueKind::kHistogram || data.collect_histograms) &&
           (kind != ValueKind::kImage || data.collect_input_data);
  }

  void Collect(const StepInfo& info, const CollectionDecision& decision) {
    trained_ = true;
    if (const std::optional<double> loss = StepCollector::LossOf(info)) last_loss_ = loss;
    const ValueSources heavy = collector_->Collect(info, decision, train_.batch_size);
    if (policy_.has_budget()) Charge(info.step, decision, heavy);
  }

  void Charge(std::int64_t step, const CollectionDecision& decision, const ValueSources& heavy) {
    const auto change = policy_.Charge(decision, heavy, clock_.MonotonicNanos(), state_);
    if (!change) return;
    Say(RateLine(step, *change, *options_.max_overhead));
    const NamedScalar rate{"recording_rate/auto", 1.0 / static_cast<double>(change->every)};
    collector_->CollectScalars(step, "", {&rate, 1});
  }

  void WarnOfEarlyStep(std::int64_t step) {
    if (std::exchange(warned_of_early_step_, true)) return;
    Warn(Status(StatusCode::kInvalidArgument,
                fmt::format("step {} ended, though resume_from_step is {}: such steps are recorded "
                            "beside what is there of them; count on from {}, or leave "
                            "resume_from_step out",
                            step, *options_.resume_from_step, *options_.resume_from_step)));
  }

  void AddOrKeep(ValueKind kind, const Result<std::string>& message, std::string_view what) {
    if (!message) return Keep(message.error().WithContext(what));
    Add(kind, *message);
  }

  void OpenLandscape() {
    const auto& landscape = options_.collect_specified_data.collect_landscape;
    if (!landscape) return;
    if (!options_.save_checkpoint) {
      Say("no checkpoint is saved for the loss landscape: collect_landscape needs the function "
          "save_checkpoint");
      return;
    }
    landscape_.emplace(*landscape, options_.save_checkpoint, *options_.recorder.file_system,
                       directory());
    landscape_->Begin({});
  }

  // Its time is no step time.
  void SaveCheckpoint(std::int64_t step) {
    if (!IsCheckpointDue(step) || process_ != getpid()) return;
    const std::int64_t begin = clock_.MonotonicNanos();
    if (const Status saved = landscape_->EndStep(step); !saved.ok()) Warn(saved);
    state_.paused_nanos += clock_.MonotonicNanos() - begin;
  }

  void Add(ValueKind kind, std::string_view message) {
    recorder_->AddMessage(kind, "", 0, message);
  }

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
  bool filling_ = false;  // Whether a trainer's function is telling its step.
  NanWatch watch_;
  std::optional<StepCollector> collector_;
  std::optional<LandscapeCollector> landscape_;
  TrainInfo train_;
  StepInfo info_;  // For steps that are filled by a function.
  std::optional<double> last_loss_;
  std::optional<std::int64_t> evaluation_began_;
  bool trained_ = false;  // Whether there is a training to tell of.
  bool graph_recorded_ = false;
  bool dataset_graph_recorded_ = false;
  bool ended_ = false;
  bool warned_of_early_step_ = false;
  Status end_status_;
  Status problem_;
};

SummaryMonitor::SummaryMonitor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  if (!impl_->recording()) quiet_steps_ = ~std::uint64_t{0};
}

SummaryMonitor::~SummaryMonitor() { static_cast<void>(End()); }

Result<std::unique_ptr<SummaryMonitor>> SummaryMonitor::Create(const std::string& summary_dir,
                                                               SummaryOptions options) {
  SIGHTLINE_UNEXPECTED_IF_ERROR(options.Check());
  if (!options.say) options.say = SayOnStandardError();
  const std::string directory = summary_dir.empty() ? DefaultSummaryDir() : summary_dir;
  std::unique_ptr<Recorder> recorder;
  Status environment;
  if (options.custom_lineage_data.empty()) {
    if (auto pairs = CustomLineageOfEnvironment()) {
      options.custom_lineage_data = *std::move(pairs);
    } else {
      environment = pairs.error();
    }
  }
  const std::string why_not = WhyNot(options);
  if (why_not.empty()) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(recorder, Recorder::Open(directory, options.ForRecorder()));
  }
  auto impl = std::make_unique<Impl>(directory, std::move(options), std::move(recorder));
  if (!why_not.empty()) impl->Say(why_not);
  // No reason not to train: it is said, and End reports it.
  if (!environment.ok()) impl->Warn(environment);
  return std::unique_ptr<SummaryMonitor>(new SummaryMonitor(std::move(impl)));
}

Result<std::unique_ptr<SummaryMonitor>> SummaryMonitor::FromYaml(const std::string& path,
                                                                 SummaryOptions base) {
  FileSystem& file_system = *base.recorder.file_system;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(SummaryConfig config,
                                 LoadSummaryConfig(path, std::move(base), file_system));
  return Create(config.summary_dir, std::move(config.options));
}

// Calls `call` while recording; what it throws (no memory, a trainer's function) is kept as a
// problem.
template <typename Call>
void SummaryMonitor::Guarded(const Call& call) noexcept {
  if (!impl_->recording()) return;
  try {
    try {
      call(*impl_);
    } catch (const std::exception& thrown) {
      impl_->Keep(Status(
          StatusCode::kFailedPrecondition,
          fmt::format("something was not recorded, because of an exception: {}", thrown.what())));
    }
  } catch (...) {  // Neither an std::exception nor memory for a message.
    impl_->NoteUnknown();
  }
}

void SummaryMonitor::Begin(const TrainInfo& info) noexcept {
  Guarded([&](Impl& impl) {
    impl.Begin(info);
    quiet_steps_ = 0;  // Other steps may be due now.
  });
}

void SummaryMonitor::RecordGraph(const Graph& graph) noexcept {
  Guarded([&](Impl& impl) { impl.RecordGraph([&] { return SerializeGraph(graph); }); });
}

void SummaryMonitor::RecordSerializedGraph(std::string_view graph_proto) noexcept {
  Guarded([&](Impl& impl) { impl.RecordGraph([&] { return std::string(graph_proto); }); });
}

void SummaryMonitor::RecordDatasetGraph(const DatasetGraph& graph) noexcept {
  Guarded(
      [&](Impl& impl) { impl.RecordDatasetGraph([&] { return SerializeDatasetGraph(graph); }); });
}

void SummaryMonitor::RecordSerializedDatasetGraph(std::string_view dataset_graph) noexcept {
  Guarded([&](Impl& impl) { impl.RecordDatasetGraph([&] { return std::string(dataset_graph); }); });
}

bool SummaryMonitor::SelectsParameter(std::size_t index, std::string_view name) const noexcept {
  try {
    return impl_->recording() && impl_->SelectsParameter(index, name);
  } catch (...) {  // No memory for matching.
    return false;
  }
}

void SummaryMonitor::EndDueStep(const StepInfo& info) noexcept {
  Guarded([&](Impl& impl) { impl.EndStep(info); });
  UpdateQuiet(info.step);
}

void SummaryMonitor::EndDueStep(std::int64_t step, FillStep fill, void* context) noexcept {
  Guarded([&](Impl& impl) { impl.EndStep(step, fill, context); });
  UpdateQuiet(step);
}

// Nothing is due between `step`, which was looked at, and the next one that is.
void SummaryMonitor::UpdateQuiet(std::int64_t step) noexcept {
  if (!impl_->recording()) return;
  quiet_begin_ = static_cast<std::uint64_t>(step) + 1;
  quiet_steps_ = static_cast<std::uint64_t>(impl_->NextAfter(step)) - quiet_begin_;
}

bool SummaryMonitor::ShouldRecordDue(std::string_view tag, std::int64_t step,
                                     ValueKind kind) const noexcept {
  bool should = false;
  const_cast<SummaryMonitor*>(this)->Guarded(
      [&](Impl& impl) { should = impl.ShouldRecord(tag, step, kind); });
  return should;
}

bool SummaryMonitor::IsCheckpointDue(std::int64_t step) const noexcept {
  return impl_->recording() && impl_->IsCheckpointDue(step);
}

void SummaryMonitor::Log(std::span<const NamedScalar> scalars, std::int64_t step) noexcept {
  Guarded([&](Impl& impl) { impl.Log(scalars, step); });
}

void SummaryMonitor::BeginEvaluation() noexcept {
  Guarded([](Impl& impl) { impl.BeginEvaluation(); });
}

void SummaryMonitor::EndEvaluation(std::span<const NamedScalar> metrics, std::int64_t step,
                                   const EvaluationInfo& info) noexcept {
  Guarded([&](Impl& impl) { impl.EndEvaluation(metrics, step, info); });
}

void SummaryMonitor::SetModel(std::string_view path, std::int64_t bytes) noexcept {
  Guarded([&](Impl& impl) { impl.SetModel(path, bytes); });
}

void SummaryMonitor::SetLastLoss(double loss) noexcept {
  Guarded([&](Impl& impl) { impl.SetLastLoss(loss); });
}

Status SummaryMonitor::End() noexcept {
  Guarded([](Impl& impl) { impl.End(); });
  quiet_steps_ = ~std::uint64_t{0};
  return impl_->end_status();
}

const CollectSpecifiedData& SummaryMonitor::collected() const { return impl_->collected(); }

const std::string& SummaryMonitor::directory() const { return impl_->directory(); }

RecorderStats SummaryMonitor::Stats() const {
  return recorder() != nullptr ? recorder()->Stats() : RecorderStats();
}

Recorder* SummaryMonitor::recorder() const { return impl_->recorder(); }

std::int64_t SummaryMonitor::thinned_steps() const { return impl_->thinned_steps(); }

}  // namespace sightline
