#include <fmt/format.h>

#include <cmath>
#include <span>
#include <vector>

#include "sightline/recorder/journal/journal_entry.h"
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

// Values of one call, and the first error of those that are none.
struct ConvertedValues {
  std::vector<ConvertedValue> kept;
  Status first_error;
};

Status ConvertAll(const sightline_value* values, std::size_t count, ConvertedValues& all) {
  all.kept.reserve(count);
  const std::size_t stride = count == 0 ? 0 : values->struct_size;
  for (std::size_t i = 0; i < count; ++i) {
    // Each is as far from the next as the program's header has it.
    const auto* const given = reinterpret_cast<const sightline_value*>(
        reinterpret_cast<const char*>(values) + i * stride);
    if (given->struct_size != stride) {
      return Error(
          StatusCode::kInvalidArgument,
          fmt::format("sightline_value: struct_size is {} in value {}, and {} in the first",
                      given->struct_size, i, stride));
    }
    sightline_value taken{};
    SIGHTLINE_RETURN_IF_ERROR(TakeStruct(given, "sightline_value", taken));
    const Status status = ConvertValue(taken, all.kept.emplace_back());
    if (status.ok()) continue;
    all.kept.pop_back();
    if (all.first_error.ok()) all.first_error = status;
  }
  return {};
}

sightline_code Record(sightline_recorder* recorder, std::int64_t step, const double* wall_time,
                      const sightline_value* values, std::size_t count) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  if (values == nullptr && count != 0) return FailNull(recorder, "values");
  ConvertedValues all;
  if (const Status status = ConvertAll(values, count, all); !status.ok())
    return Done(recorder, status);
  std::vector<TaggedValue> tagged;
  tagged.reserve(all.kept.size());
  for (const ConvertedValue& value : all.kept) tagged.push_back(value.tagged);
  const Outcome outcome = wall_time == nullptr
                              ? recorder->recorder.Record(step, tagged)
                              : recorder->recorder.Record(step, *wall_time, tagged);
  if (outcome == Outcome::kInvalid) {
    for (const TaggedValue& value : tagged) {
      if (!all.first_error.ok()) break;
      all.first_error = WhyRefused(*recorder, value);
    }
  }
  const bool explained = outcome == Outcome::kAccepted || outcome == Outcome::kInvalid;
  return explained && !all.first_error.ok() ? Done(recorder, all.first_error)
                                            : CodeOf(recorder, outcome);
}

}  // namespace
}  // namespace sightline::sdk

using sightline::Recorder;
using sightline::RecorderOptions;
using sightline::RecorderStats;
using sightline::Status;
using sightline::sdk::CodeOf;
using sightline::sdk::Done;
using sightline::sdk::FailNull;
using sightline::sdk::Guarded;

sightline_code sightline_recorder_open(const char* directory,
                                       const sightline_recorder_options* options,
                                       sightline_recorder** recorder) {
  return Guarded(nullptr, [&] {
    if (recorder == nullptr) return FailNull(nullptr, "recorder");
    *recorder = nullptr;
    if (directory == nullptr) return FailNull(nullptr, "directory");
    const auto taken = sightline::sdk::RecorderOptionsOf(options);
    if (!taken) return Done(nullptr, taken.error());
    auto opened = Recorder::Open(directory, *taken);
    if (!opened) return Done(nullptr, opened.error());
    const bool writes_tensorboard = taken->formats.back() == sightline::Format::kTensorBoard;
    *recorder = new sightline_recorder(*std::move(opened), writes_tensorboard);
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_recorder_add_scalar(sightline_recorder* recorder, const char* tag,
                                             int64_t step, double value) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  if (tag == nullptr) return FailNull(recorder, "tag");
  return CodeOf(recorder, recorder->recorder.AddScalar(tag, step, value));
}

sightline_code sightline_recorder_tag(sightline_recorder* recorder, const char* text,
                                      const sightline_tag** tag) {
  return Guarded(recorder, [&] {
    if (tag == nullptr) return FailNull(recorder, "tag");
    *tag = nullptr;
    if (recorder == nullptr) return FailNull(nullptr, "recorder");
    if (text == nullptr) return FailNull(recorder, "text");
    if (recorder->process != getpid()) return CodeOf(recorder, sightline::Outcome::kClosed);
    const std::lock_guard lock(recorder->tags_mutex);
    const auto [place, is_new] = recorder->tags.try_emplace(text);
    if (is_new) place->second.id = recorder->recorder.Intern(text);
    *tag = &place->second;
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_recorder_add_tagged(sightline_recorder* recorder, const sightline_tag* tag,
                                             int64_t step, double value) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  if (tag == nullptr) return FailNull(recorder, "tag");
  return CodeOf(recorder, recorder->recorder.AddScalar(tag->id, step, value));
}

sightline_code sightline_recorder_record(sightline_recorder* recorder, int64_t step,
                                         const sightline_value* values, size_t count) {
  return Guarded(recorder,
                 [&] { return sightline::sdk::Record(recorder, step, nullptr, values, count); });
}

sightline_code sightline_recorder_record_at(sightline_recorder* recorder, int64_t step,
                                            double wall_time, const sightline_value* values,
                                            size_t count) {
  return Guarded(recorder, [&] {
    if (recorder != nullptr && !std::isfinite(wall_time)) {
      return sightline::sdk::Fail(recorder, SIGHTLINE_INVALID_ARGUMENT,
                                  "wall_time is not finite; it is in seconds since the Unix epoch");
    }
    return sightline::sdk::Record(recorder, step, &wall_time, values, count);
  });
}

sightline_code sightline_recorder_stage(sightline_recorder* recorder,
                                        const sightline_value* value) {
  return Guarded(recorder, [&] {
    if (recorder == nullptr) return FailNull(nullptr, "recorder");
    if (value == nullptr) return FailNull(recorder, "value");
    sightline_value taken{};
    Status status = sightline::sdk::TakeStruct(value, "sightline_value", taken);
    if (!status.ok()) return Done(recorder, status);
    sightline::sdk::ConvertedValue converted;
    status = sightline::sdk::ConvertValue(taken, converted);
    if (!status.ok()) return Done(recorder, status);
    const auto& tagged = converted.tagged;
    const auto outcome = recorder->recorder.Stage(tagged.tag, tagged.value);
    if (outcome == sightline::Outcome::kInvalid)
      return Done(recorder, sightline::sdk::WhyRefused(*recorder, tagged));
    return CodeOf(recorder, outcome);
  });
}

sightline_code sightline_recorder_record_staged(sightline_recorder* recorder, int64_t step) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  return CodeOf(recorder, recorder->recorder.RecordStaged(step));
}

sightline_code sightline_recorder_flush(sightline_recorder* recorder, int to_disk) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  return Done(recorder, recorder->recorder.Flush(to_disk != 0 ? sightline::FlushTo::kDisk
                                                              : sightline::FlushTo::kKernel));
}

sightline_code sightline_recorder_close(sightline_recorder* recorder) {
  if (recorder == nullptr) return FailNull(nullptr, "recorder");
  if (recorder->owned == nullptr) {
    return sightline::sdk::Fail(recorder, SIGHTLINE_FAILED_PRECONDITION,
                                "the recorder is a monitor's: call sightline_monitor_end");
  }
  return Done(recorder, recorder->recorder.Close());
}

void sightline_recorder_free(sightline_recorder* recorder) {
  if (recorder == nullptr || recorder->owned == nullptr) return;
  sightline::sdk::Forget(recorder);
  delete recorder;
}

sightline_code sightline_recorder_get_stats(const sightline_recorder* recorder,
                                            sightline_recorder_stats* stats) {
  return Guarded(recorder, [&] {
    if (recorder == nullptr) return FailNull(nullptr, "recorder");
    if (stats == nullptr) return FailNull(recorder, "stats");
    const RecorderStats now = recorder->recorder.Stats();
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
    return Done(recorder, sightline::sdk::GiveStruct(filled, "sightline_recorder_stats", stats));
  });
}

const char* sightline_recorder_directory(const sightline_recorder* recorder) {
  return recorder == nullptr ? nullptr : recorder->recorder.directory().c_str();
}

const char* sightline_recorder_session_id(const sightline_recorder* recorder) {
  return recorder == nullptr ? nullptr : recorder->recorder.session_id().c_str();
}

sightline_code sightline_close_on_sigterm(void) {
  return Guarded(nullptr,
                 [] { return Done(nullptr, sightline::CloseRecordersOnDefaultSigterm()); });
}
