#include "sightline/collectors/summary_monitor_impl.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/collectors/collect/lineage_collector.h"
#include "sightline/collectors/config/recorder_config.h"
#include "sightline/collectors/rules/collection_plan.h"
#include "sightline/collectors/run_report.h"
#include "sightline/recorder/recorder_access.h"

namespace sightline {
namespace {

// 0 if unknown; the largest number if it does not fit.
std::int64_t TotalSteps(const TrainInfo& info) {
  const std::int64_t epochs = info.epochs.value_or(0);
  const std::int64_t steps_per_epoch = info.steps_per_epoch.value_or(0);
  if (epochs <= 0 || (steps_per_epoch <= 0 && !info.sink_mode)) return 0;
  return TrainingLength{epochs, steps_per_epoch, info.sink_mode}.total();
}

CollectionRules RulesOf(const SummaryOptions& options, const TrainInfo& info) {
  const std::int64_t devices =
      info.parallel_mode == "stand_alone" ? 1 : info.device_num.value_or(1);
  return {options.collect_freq, options.collect_tensor_freq,
          TotalSteps(info),     std::max<std::int64_t>(devices, 1),
          options.frequencies,  options.max_overhead};
}

}  // namespace

SummaryMonitor::Impl::Impl(std::string directory, SummaryOptions options,
                           std::unique_ptr<Recorder> recorder, bool custom_lineage_recorded)
    : directory_(std::move(directory)),
      options_(std::move(options)),
      clock_(*options_.writing.clock),
      recorder_(std::move(recorder)),
      frequencies_(options_.frequencies, [this](std::string_view line) { Say(line); }),
      policy_(RulesOf(options_, {})),
      watch_(options_.on_nonfinite) {
  if (recorder_ == nullptr) return;
  const WarnOfPattern say = [this](std::string_view line) { Say(line); };
  collector_.emplace(
      *recorder_, watch_, options_.collect_specified_data, frequencies_,
      ParameterSelection::Make(options_.collect_specified_data.histogram_regular, say).value(),
      say);
  Say(StartLine(directory_, options_, recorder_->continues_session()));
  const std::string warning = WarningOfSmallFiles(options_.max_file_size);
  if (!warning.empty()) Say(warning);
  OpenLandscape();
  StartSystemScalars();
  KeepRunFacts();
  custom_pending_ = !options_.custom_lineage_data.empty() && !custom_lineage_recorded;
}

void SummaryMonitor::Impl::Say(std::string_view line) const {
  try {
    options_.say(line);
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell.
  }
}

void SummaryMonitor::Impl::Begin(const TrainInfo& info) {
  trained_ = true;
  train_ = info;
  state_ = {};
  policy_ = CollectionPolicy(RulesOf(options_, info));
  RecordSetUp();
  if (!landscape_) return;
  landscape_->Begin(info);
  if (landscape_->schedule().empty()) {
    Say("no checkpoint is saved for the loss landscape: none of collect_landscape's intervals is "
        "reached at the end of a step with these epochs and steps_per_epoch");
  }
}

CollectionDecision SummaryMonitor::Impl::Decide(std::int64_t step) {
  if (step < options_.resume_from_step.value_or(step)) WarnOfEarlyStep(step);
  decision_ = policy_.Decide(step, clock_.MonotonicNanos(), state_);
  if (decision_.thinned.any()) ++thinned_steps_;
  return decision_;
}

bool SummaryMonitor::Impl::ShouldRecord(std::string_view tag, std::int64_t step,
                                        ValueKind kind) const {
  const bool decided = filling_ && step == info_.step;
  const CollectionDecision decision =
      decided ? decision_ : policy_.Peek(step, clock_.MonotonicNanos(), state_);
  return Collects(tag, kind) && decision.Records(kind, frequencies_.Find(kind, tag));
}

void SummaryMonitor::Impl::EndStep(const StepInfo& info) {
  NoteStep(info.step);
  // Also if the step is not recorded.
  if (info.loss) watch_.Check("loss/auto", info.step, *info.loss);
  const CollectionDecision decision = Decide(info.step);
  if (!decision.nothing()) Collect(info, decision);
  if (IsCheckpointDue(info.step)) SaveCheckpoint(info.step);
}

void SummaryMonitor::Impl::EndStep(std::int64_t step, FillStep fill, void* context) {
  NoteStep(step);
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
  if (IsCheckpointDue(step)) SaveCheckpoint(step);
}

// Within a step, the time that this takes already counts as the step's.
void SummaryMonitor::Impl::Log(std::int64_t step, std::span<const NamedScalar> scalars) {
  const bool charged = policy_.has_budget() && !filling_;
  const std::int64_t begin = charged ? clock_.MonotonicNanos() : 0;
  if (custom_pending_) RecordSetUp();
  collector_->CollectScalars(step, "", scalars);
  if (charged) state_.between_nanos += clock_.MonotonicNanos() - begin;
}

void SummaryMonitor::Impl::EndEvaluation(std::int64_t step, std::span<const NamedScalar> metrics,
                                         const EvaluationInfo& info) {
  if (custom_pending_) RecordSetUp();
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
    state_.last_nanos.reset();  // Its duration is unknown, so the next step has no step time.
  }
}

void SummaryMonitor::Impl::SetModel(std::string_view path, std::optional<std::int64_t> bytes) {
  train_.model_path = path;
  train_.model_bytes = bytes;
}

void SummaryMonitor::Impl::End(TrainingEnd how) {
  ended_ = true;
  system_.reset();
  facts_.reset();
  if (process_ != getpid()) return;  // A forked child: the run is its parent's.
  if (custom_pending_) RecordSetUp();
  if (options_.collect_specified_data.collect_train_lineage && trained_) {
    Add(ValueKind::kTrainLineage, SerializeTrainLineage(TrainLineageOf(train_, last_loss_)));
  }
  RecordTrainingEnd(how);
  const Status closed = recorder_->Close();
  const bool only_refusals = closed.message() == RecorderAccess::Refusals(*recorder_).message();
  end_status_ = only_refusals && !problem_.ok() ? problem_ : closed;
  Say(EndLine(directory_, recorder_->Stats(), only_refusals ? Status() : closed, problem_,
              watch_.first(), thinned_steps_));
}

void SummaryMonitor::Impl::Keep(Status problem) {
  if (problem_.ok()) problem_ = std::move(problem);
}

void SummaryMonitor::Impl::Warn(const Status& problem) {
  if (!recording()) return;
  Say(problem.message());
  Keep(problem);
}

void SummaryMonitor::Impl::NoteUnknown() {
  static const Status unknown(
      StatusCode::kFailedPrecondition,
      "something was not recorded, because of an unknown exception or a lack of memory");
  if (problem_.ok()) problem_ = unknown;
}

std::int64_t SummaryMonitor::Impl::NextAfter(std::int64_t step) const {
  const std::int64_t next = policy_.NextAfter(step, state_);
  return landscape_ ? std::min(next, landscape_->schedule().NextAfter(step)) : next;
}

bool SummaryMonitor::Impl::Wants(const CollectionDecision& decision, ValueKind kind) const {
  for (std::size_t i = 0; i < options_.frequencies.size(); ++i) {
    const Frequency& frequency = options_.frequencies[i];
    if (frequency.kind && *frequency.kind != kind) continue;
    if (decision.Records(kind, static_cast<int>(i))) return true;
    if (frequency.Covers(kind)) return false;  // Later entries match no value.
  }
  return decision.Records(kind, FrequencyTable::kNone);
}

bool SummaryMonitor::Impl::Collects(std::string_view tag, ValueKind kind) const {
  const CollectSpecifiedData& data = options_.collect_specified_data;
  if (!tag.ends_with("/auto")) return true;
  return (kind != ValueKind::kHistogram || data.collect_histograms) &&
         (kind != ValueKind::kImage || data.collect_input_data);
}

void SummaryMonitor::Impl::Collect(const StepInfo& info, const CollectionDecision& decision) {
  if (custom_pending_) RecordSetUp();
  trained_ = true;
  if (recorder_->paused() != said_paused_) SayWhetherPaused();
  const std::optional<double> loss = StepCollector::LossOf(info);
  if (loss) last_loss_ = loss;
  const ValueSources heavy =
      collector_->Collect(info, loss, decision, train_.batch_size.value_or(0));
  if (policy_.has_budget()) Charge(info.step, decision, heavy);
}

void SummaryMonitor::Impl::Charge(std::int64_t step, const CollectionDecision& decision,
                                  const ValueSources& heavy) {
  const auto change = policy_.Charge(decision, heavy, clock_.MonotonicNanos(), state_);
  if (!change) return;
  Say(RateLine(step, *change, *options_.max_overhead));
  const NamedScalar rate{"recording_rate/auto", 1.0 / static_cast<double>(change->every)};
  collector_->CollectScalars(step, "", {&rate, 1});
}

void SummaryMonitor::Impl::SayWhetherPaused() {
  said_paused_ = !said_paused_;
  Say(said_paused_
          ? fmt::format(
                "recording to {} has paused, because the disk is full or its files cannot be "
                "written: values wait in the buffer, and are dropped when it is full",
                directory())
          : fmt::format("recording to {} continues", directory()));
}

void SummaryMonitor::Impl::WarnOfEarlyStep(std::int64_t step) {
  if (std::exchange(warned_of_early_step_, true)) return;
  Warn(Status(StatusCode::kInvalidArgument,
              fmt::format("step {} ended, though resume_from_step is {}: what the run has "
                          "recorded of such steps before counts as well; count steps from {} on, "
                          "or leave resume_from_step "
                          "out",
                          step, *options_.resume_from_step, *options_.resume_from_step)));
}

// Records everything in one event: TensorBoard's HPARAMS page shows only the first such event of a
// run. The lineage at the end, with the loss, is recorded as well; a killed run has this one.
void SummaryMonitor::Impl::RecordSetUp() {
  const bool train = options_.collect_specified_data.collect_train_lineage && trained_;
  const std::string set_up = SerializeTrainLineage(TrainLineageOf(train_, {}));
  const std::string pairs = SerializeCustomLineage(options_.custom_lineage_data);
  std::vector<TaggedValue> values;
  if (train) values.push_back({"", Value::Message(ValueKind::kTrainLineage, set_up)});
  if (custom_pending_) values.push_back({"", Value::Message(ValueKind::kCustomLineage, pairs)});
  custom_pending_ = false;
  if (values.empty()) return;
  recorder_->Record(0, values);
  set_up_recorded_ = true;
}

void SummaryMonitor::Impl::RecordTrainingEnd(TrainingEnd how) {
  const auto& formats = options_.formats;
  if (!set_up_recorded_ || how == TrainingEnd::kUnknown ||
      std::find(formats.begin(), formats.end(), Format::kTensorBoard) == formats.end())
    return;
  Add(ValueKind::kTensorBoardEvent, SerializeTrainingEnd(how, clock_.WallSeconds()));
}

void SummaryMonitor::Impl::AddOrKeep(ValueKind kind, const Result<std::string>& message,
                                     std::string_view what) {
  if (!message) return Keep(message.error().WithContext(what));
  Add(kind, *message);
}

void SummaryMonitor::Impl::OpenLandscape() {
  const auto& landscape = options_.collect_specified_data.collect_landscape;
  if (!landscape) return;
  if (!options_.save_checkpoint) {
    Say("no checkpoint is saved for the loss landscape: collect_landscape needs the function "
        "save_checkpoint");
    return;
  }
  landscape_.emplace(*landscape, options_.save_checkpoint, *options_.writing.file_system,
                     directory());
  landscape_->Begin({});
}

// If the system has no thread for this, the rest is recorded all the same.
void SummaryMonitor::Impl::StartSystemScalars() {
  if (!options_.collect_specified_data.collect_system) return;
  auto started = SystemScalars::Start(*recorder_, options_.resume_from_step.value_or(0));
  if (!started)
    return Say(fmt::format("no system/... scalars are recorded: {}", started.error().message()));
  system_ = *std::move(started);
}

// They are in a file of this machine, beside event files.
void SummaryMonitor::Impl::KeepRunFacts() {
  if (!options_.collect_specified_data.collect_run_facts) return;
  if (options_.writing.file_system != &FileSystem::Local()) return;
  facts_.emplace(directory(), recorder_->session_id());
}

// The time that this takes is not part of the step time.
void SummaryMonitor::Impl::SaveCheckpoint(std::int64_t step) {
  if (process_ != getpid()) return;  // A forked child: the run is its parent's.
  const std::int64_t begin = clock_.MonotonicNanos();
  if (const Status saved = landscape_->EndStep(step); !saved.ok()) Warn(saved);
  state_.paused_nanos += clock_.MonotonicNanos() - begin;
}

void SummaryMonitor::Impl::Add(ValueKind kind, std::string_view message) {
  recorder_->AddMessage("", 0, kind, message);
}

}  // namespace sightline
