#include "sightline/import/mlflow/run_folders.h"

#include <span>
#include <utility>

#include "sightline/base/clock.h"
#include "sightline/base/utf8.h"
#include "sightline/recorder/message/training_end.h"
#include "sightline/recorder/translation/event_bytes.h"

namespace sightline {
namespace {

constexpr std::size_t kLongestName = 100;

double Seconds(std::int64_t milliseconds) {
  constexpr double kMillisecondsOfASecond = 1000;
  return static_cast<double>(milliseconds) / kMillisecondsOfASecond;
}

TrainingEnd EndOf(std::string_view status) {
  if (status == "FINISHED") return TrainingEnd::kSuccess;
  return status == "FAILED" || status == "KILLED" ? TrainingEnd::kFailure : TrainingEnd::kUnknown;
}

}  // namespace

class RunWriter::BegunClock final : public Clock {
 public:
  explicit BegunClock(double seconds) : seconds_(seconds) {}
  double WallSeconds() const override { return seconds_; }
  std::int64_t MonotonicNanos() const override { return Clock::System().MonotonicNanos(); }

 private:
  double seconds_;
};

RunWriter::~RunWriter() = default;

Result<std::unique_ptr<RunWriter>> RunWriter::Open(const std::string& directory,
                                                   const ImportedRun& run) {
  std::unique_ptr<RunWriter> writer(new RunWriter);
  writer->status_ = run.status;
  writer->ended_ = run.ended;
  RecorderOptions options;
  options.formats = {Format::kTensorBoard};
  options.writing.rank = 0;
  options.writing.world_size = 1;
  options.writing.workers = 0;
  if (run.started > 0) {
    writer->clock_ = std::make_unique<BegunClock>(Seconds(run.started));
    options.writing.clock = writer->clock_.get();
  }
  SIGHTLINE_ASSIGN_OR_RETURN(writer->recorder_, Recorder::Open(directory, options));
  const std::string lineage = SerializeCustomLineage(LineageOf(run));
  writer->recorder_->AddMessage("", 0, ValueKind::kCustomLineage, lineage);
  return writer;
}

void RunWriter::AddScalar(std::string_view tag, std::int64_t step, std::int64_t milliseconds,
                          double value) {
  // The recorder sets step and time.
  EventBytes event;
  event.AddScalar(tag, value);
  const std::string bytes = event.Take(0, 0);
  const TaggedValue tagged{"", Value::Message(ValueKind::kTensorBoardEvent, bytes)};
  recorder_->Record(step, Seconds(milliseconds), {&tagged, 1});
}

Status RunWriter::End() {
  const TrainingEnd how = EndOf(status_);
  if (how != TrainingEnd::kUnknown && ended_ > 0) {
    const std::string end = SerializeTrainingEnd(how, Seconds(ended_));
    const TaggedValue tagged{"", Value::Message(ValueKind::kTensorBoardEvent, end)};
    recorder_->Record(0, Seconds(ended_), {&tagged, 1});
  }
  return recorder_->Close().WithContext(recorder_->directory());
}

Result<std::unique_ptr<RunWriter>> RunFolders::Begin(const ImportedRun& run) {
  const std::string base =
      FolderName(run.experiment) + '/' + FolderName(run.name.empty() ? run.id : run.name);
  std::string name = base;
  for (std::uint64_t& number = numbers_[base]; !used_.insert(name).second;)
    name = base + '-' + std::to_string(++number + 1);
  return RunWriter::Open(folder_ + '/' + name, run);
}

std::string FolderName(std::string_view text) {
  std::string name = ToUtf8(text, kLongestName);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || byte < 0x20 || byte == 0x7f) c = '_';
  }
  if (name.starts_with('.')) name[0] = '_';
  return name.empty() ? "unnamed" : name;
}

}  // namespace sightline
