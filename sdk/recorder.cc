#include <fmt/format.h>

#include <cmath>
#include <span>
#include <vector>

#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/recorder_access.h"
#include "sightline/sdk/failure.h"
#include "sightline/sdk/recorder_handle.h"
#include "sightline/sdk/sized_struct.h"
#include "sightline/sdk/value.h"

namespace sightline::sdk {
namespace {

// What `recorder` said to values that were accepted, dropped, or refused because it is closed.
sightline_code CodeOf(const sightline_recorder* recorder, Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kAccepted:
      return SIGHTLINE_OK;
    case Outcome::kDropped:
      return Fail(recorder, SIGHTLINE_RESOURCE_EXHAUSTED,
                  "dropped: the buffer is full or memory ran out; sightline_recorder_get_stats has "
                  "the counts");
    case Outcome::kInvalid:
      return Fail(recorder, SIGHTLINE_INVALID_ARGUMENT, "a value that cannot be recorded");
    case Outcome::kClosed:
      return Fail(recorder, SIGHTLINE_CLOSED,
                  "the recorder is closed, or this process was forked from the one that opened it");
  }
  return SIGHTLINE_INTERNAL;
}

// Why a recorder refuses a value; OK if it does not.
Status WhyRefused(const sightline_recorder& recorder, const TaggedValue& tagged) {
  const std::string_view tag = tagged.tag.text();
  if (tagged.value.kind == ValueKind::kTensorBoardEvent && !recorder.writes_tensorboard) {
    return {StatusCode::kInvalidArgument,
            fmt::format("{}: only TensorBoard's files have a form for it; set "
                        "SIGHTLINE_FORMAT_TENSORBOARD in formats",
                        tag.empty() ? "a TensorBoard event" : tag)};
  }
  return CheckValue(tag, tagged.value);
}

sightline_code Record(sightline_recorder* recorder, std::int64_t step, const double* wall_time,
                      const sightline_value* values, std::size_t count) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  ConvertedValues all;
  if (const Status status = ConvertValues(values, count, all); !status.ok())
    return Done(recorder, status);
  std::vector<TaggedValue> tagged;
  tagged.reserve(all.kept.size());
  for (const ConvertedValue& value : all.kept) tagged.push_back(value.tagged);
  const Outcome outcome = wall_time == nullptr
                              ? recorder->recorder.Record(step, tagged)
                              : recorder->recorder.Record(step, *wall_time, tagged);
  for (const Status& error : all.errors) RecorderAccess::Refuse(recorder->recorder, error, "");
  if (outcome == Outcome::kInvalid) {
    if (wall_time != nullptr && !std::isfinite(*wall_time)) {
      all.errors.emplace_back(StatusCode::kInvalidArgument,
                              "wall_time is not finite; it is in seconds since the Unix epoch");
    }
    for (const TaggedValue& value : tagged) {
      if (!all.errors.empty()) break;
      if (Status why = WhyRefused(*recorder, value); !why.ok())
        all.errors.push_back(std::move(why));
    }
  }
  const bool explained = outcome == Outcome::kAccepted || outcome == Outcome::kInvalid;
  return explained && !all.errors.empty() ? Done(recorder, all.errors.front())
                                          : CodeOf(recorder, outcome);
}

}  // namespace
}  // namespace sightline::sdk

namespace sdk = sightline::sdk;

sightline_code sightline_recorder_open(const char* directory,
                                       const sightline_recorder_options* options,
                                       sightline_recorder** recorder) {
  return sdk::Guarded(nullptr, [&] {
    if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
    *recorder = nullptr;
    if (directory == nullptr) return sdk::FailNull(nullptr, "directory");
    const auto taken = sdk::RecorderOptionsOf(options);
    if (!taken) return sdk::Done(nullptr, taken.error());
    auto opened = sightline::Recorder::Open(directory, *taken);
    if (!opened) return sdk::Done(nullptr, opened.error());
    const bool writes_tensorboard = taken->formats.back() == sightline::Format::kTensorBoard;
    *recorder = new sightline_recorder(*std::move(opened), writes_tensorboard);
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_recorder_add_scalar(sightline_recorder* recorder, const char* tag,
                                             int64_t step, double value) {
  if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
  if (tag == nullptr) return sdk::FailNull(recorder, "tag");
  return sdk::CodeOf(recorder, recorder->recorder.AddScalar(tag, step, value));
}

sightline_code sightline_recorder_tag(sightline_recorder* recorder, const char* text,
                                      const sightline_tag** tag) {
  return sdk::Guarded(recorder, [&] {
    if (tag == nullptr) return sdk::FailNull(recorder, "tag");
    *tag = nullptr;
    if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
    if (text == nullptr) return sdk::FailNull(recorder, "text");
    if (recorder->process != getpid()) return sdk::CodeOf(recorder, sightline::Outcome::kClosed);
    const std::lock_guard lock(recorder->tags_mutex);
    const auto [place, is_new] = recorder->tags.try_emplace(text);
    if (is_new) place->second.id = recorder->recorder.Intern(text);
    *tag = &place->second;
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_recorder_add_tagged(sightline_recorder* recorder, const sightline_tag* tag,
                                             int64_t step, double value) {
  if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
  if (tag == nullptr) return sdk::FailNull(recorder, "tag");
  return sdk::CodeOf(recorder, recorder->recorder.AddScalar(tag->id, step, value));
}

sightline_code sightline_recorder_record(sightline_recorder* recorder, int64_t step,
                                         const sightline_value* values, size_t count) {
  return sdk::Guarded(recorder,
                      [&] { return sdk::Record(recorder, step, nullptr, values, count); });
}

sightline_code sightline_recorder_record_at(sightline_recorder* recorder, int64_t step,
                                            double wall_time, const sightline_value* values,
                                            size_t count) {
  return sdk::Guarded(recorder,
                      [&] { return sdk::Record(recorder, step, &wall_time, values, count); });
}

sightline_code sightline_recorder_stage(sightline_recorder* recorder,
                                        const sightline_value* value) {
  return sdk::Guarded(recorder, [&] {
    if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
    if (value == nullptr) return sdk::FailNull(recorder, "value");
    sdk::ConvertedValues all;
    const sightline::Status status = sdk::ConvertValues(value, 1, all);
    if (!status.ok()) return sdk::Done(recorder, status);
    if (!all.errors.empty()) {
      sightline::RecorderAccess::Refuse(recorder->recorder, all.errors.front(), "");
      return sdk::Done(recorder, all.errors.front());
    }
    const auto& tagged = all.kept.front().tagged;
    const auto outcome = recorder->recorder.Stage(tagged.tag, tagged.value);
    if (outcome == sightline::Outcome::kInvalid)
      return sdk::Done(recorder, sdk::WhyRefused(*recorder, tagged));
    return sdk::CodeOf(recorder, outcome);
  });
}

sightline_code sightline_recorder_record_staged(sightline_recorder* recorder, int64_t step) {
  if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
  return sdk::CodeOf(recorder, recorder->recorder.RecordStaged(step));
}

sightline_code sightline_recorder_flush(sightline_recorder* recorder, int to_disk) {
  if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
  return sdk::Done(recorder, recorder->recorder.Flush(to_disk != 0 ? sightline::FlushTo::kDisk
                                                                   : sightline::FlushTo::kKernel));
}

sightline_code sightline_recorder_close(sightline_recorder* recorder) {
  if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
  if (recorder->owned == nullptr) {
    return sdk::Fail(recorder, SIGHTLINE_FAILED_PRECONDITION,
                     "the recorder is a monitor's: call sightline_monitor_end");
  }
  return sdk::Done(recorder, recorder->recorder.Close());
}

void sightline_recorder_free(sightline_recorder* recorder) {
  if (recorder == nullptr || recorder->owned == nullptr) return;
  sdk::Forget(recorder);
  delete recorder;
}

sightline_code sightline_recorder_get_stats(const sightline_recorder* recorder,
                                            sightline_recorder_stats* stats) {
  return sdk::Guarded(recorder, [&] {
    if (recorder == nullptr) return sdk::FailNull(nullptr, "recorder");
    if (stats == nullptr) return sdk::FailNull(recorder, "stats");
    const sightline::RecorderStats now = recorder->recorder.Stats();
    sightline_recorder_stats filled{};
    filled.accepted_events = now.accepted_events;
    filled.accepted_values = now.accepted_values;
    filled.written_events = now.written_events;
    filled.written_bytes = now.written_bytes;
    filled.dropped_values = now.dropped_values;
    filled.refused_values = now.invalid_values;
    filled.lost_values = now.lost_values;
    filled.errors = now.errors;
    filled.paused = now.paused ? 1 : 0;
    filled.kill_safe = now.kill_safe ? 1 : 0;
    return sdk::Done(recorder, sdk::GiveStruct(filled, "sightline_recorder_stats", stats));
  });
}

const char* sightline_recorder_directory(const sightline_recorder* recorder) {
  return recorder == nullptr ? nullptr : recorder->recorder.directory().c_str();
}

const char* sightline_recorder_session_id(const sightline_recorder* recorder) {
  return recorder == nullptr ? nullptr : recorder->recorder.session_id().c_str();
}

sightline_code sightline_close_on_sigterm(void) {
  return sdk::Guarded(
      nullptr, [] { return sdk::Done(nullptr, sightline::CloseRecordersOnDefaultSigterm()); });
}
