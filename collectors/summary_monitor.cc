#include "sightline/collectors/summary_monitor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "sightline/base/faults.h"
#include "sightline/base/system/environment.h"
#include "sightline/collectors/config/hyper_config.h"
#include "sightline/collectors/config/summary_config.h"
#include "sightline/collectors/run_report.h"
#include "sightline/collectors/summary_monitor_impl.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline {
namespace {

// Why this process does not record; empty if it does.
std::string WhyNot(const SummaryOptions& options) {
  if (IsSwitchedOn("SIGHTLINE_DISABLE")) return "recording is switched off by SIGHTLINE_DISABLE";
  if (!options.ranks) return "";
  const std::int64_t rank = RankOf(options.writing).rank;
  const auto& ranks = *options.ranks;
  if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) return "";
  return fmt::format("rank {} does not record: ranks = [{}]", rank, fmt::join(ranks, ", "));
}

// Whether the directory already has the run of an earlier process, which readers would show
// together with this one.
bool StandsBesideAnother(const std::string& directory, const SummaryOptions& options) {
  if (options.resume_from_step || RankOf(options.writing).world_size > 1) return false;
  const auto names = options.writing.file_system->List(directory);
  return names && std::any_of(names->begin(), names->end(), [](const std::string& name) {
           return ParseEventFileName(name).has_value();
         });
}

}  // namespace

SummaryMonitor::SummaryMonitor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  if (!impl_->recording()) quiet_steps_ = ~std::uint64_t{0};
}

SummaryMonitor::~SummaryMonitor() {
  static_cast<void>(
      End(std::uncaught_exceptions() > 0 ? TrainingEnd::kFailure : TrainingEnd::kUnknown));
}

Result<std::unique_ptr<SummaryMonitor>> SummaryMonitor::Create(const std::string& summary_dir,
                                                               SummaryOptions options,
                                                               const SummaryMonitor* after) {
  Faults faults;
  faults.Add(CheckLocalPath("summary_dir", summary_dir));
  faults.Add(options.Check());
  SIGHTLINE_RETURN_IF_ERROR(faults.ToStatus());
  if (!options.say) options.say = SayOnStandardError;
  if (!options.writing.on_refused) options.writing.on_refused = options.say;
  const std::string directory = summary_dir.empty() ? DefaultSummaryDir() : summary_dir;
  std::unique_ptr<Recorder> recorder;
  Status environment;
  if (auto pairs = CustomLineageOfEnvironment()) {
    options.custom_lineage_data.merge(*pairs);  // If both have a name, the options' pair counts.
  } else {
    environment = pairs.error();
  }
  const bool custom_lineage_recorded =
      after != nullptr && after->enabled() &&
      after->impl_->custom_lineage() == options.custom_lineage_data;
  const std::string why_not = WhyNot(options);
  const bool beside =
      why_not.empty() && after == nullptr && StandsBesideAnother(directory, options);
  if (why_not.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(recorder, Recorder::Open(directory, options.ForRecorder()));
  }
  auto impl = std::make_unique<Impl>(directory, std::move(options), std::move(recorder),
                                     custom_lineage_recorded);
  if (!why_not.empty()) impl->Say(why_not);
  if (beside) {
    impl->Say(
        fmt::format("{} holds an earlier run already: give each run its own directory, or set "
                    "resume_from_step if this one continues from a checkpoint",
                    directory));
  }
  // Training continues, so the error is only reported, here and by End.
  if (!environment.ok()) impl->Warn(environment);
  return std::unique_ptr<SummaryMonitor>(new SummaryMonitor(std::move(impl)));
}

Result<std::unique_ptr<SummaryMonitor>> SummaryMonitor::FromYaml(const std::string& path,
                                                                 SummaryOptions base) {
  FileSystem& file_system = *base.writing.file_system;
  SIGHTLINE_ASSIGN_OR_RETURN(SummaryConfig config,
                             LoadSummaryConfig(path, std::move(base), file_system));
  return Create(config.summary_dir, std::move(config.options));
}

// Calls `call` if recording. An exception (no memory, or from a trainer's function) is kept as a
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
  } catch (...) {  // Not an std::exception, or no memory for a message.
    impl_->NoteUnknown();
  }
}

void SummaryMonitor::Begin(const TrainInfo& info) noexcept {
  Guarded([&](Impl& impl) {
    impl.Begin(info);
    quiet_steps_ = 0;  // Different steps may be due now.
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

// Notes that nothing is due between `step`, which was checked, and the next step that is due.
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

void SummaryMonitor::Log(std::int64_t step, std::span<const NamedScalar> scalars) noexcept {
  Guarded([&](Impl& impl) { impl.Log(step, scalars); });
}

void SummaryMonitor::BeginEvaluation() noexcept {
  Guarded([](Impl& impl) { impl.BeginEvaluation(); });
}

void SummaryMonitor::EndEvaluation(std::int64_t step, std::span<const NamedScalar> metrics,
                                   const EvaluationInfo& info) noexcept {
  Guarded([&](Impl& impl) { impl.EndEvaluation(step, metrics, info); });
}

void SummaryMonitor::SetModel(std::string_view path, std::optional<std::int64_t> bytes) noexcept {
  Guarded([&](Impl& impl) { impl.SetModel(path, bytes); });
}

void SummaryMonitor::SetLastLoss(double loss) noexcept {
  Guarded([&](Impl& impl) { impl.SetLastLoss(loss); });
}

Status SummaryMonitor::End(TrainingEnd how) noexcept {
  Guarded([how](Impl& impl) { impl.End(how); });
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
