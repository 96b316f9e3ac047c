#include <chrono>
#include <memory>
#include <utility>

#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/sdk/failure.h"
#include "sightline/sdk/sized_struct.h"

static_assert(SIGHTLINE_DATA == static_cast<int>(sightline::profiler::Category::kData));
static_assert(SIGHTLINE_COMMUNICATION ==
              static_cast<int>(sightline::profiler::Category::kCommunication));
static_assert(SIGHTLINE_OPERATOR == static_cast<int>(sightline::profiler::Category::kOperator));
static_assert(SIGHTLINE_QUEUE == static_cast<int>(sightline::profiler::Category::kQueue));

struct sightline_profile {
  std::unique_ptr<sightline::profiler::ProfileRecorder> recorder;
};

namespace sightline::sdk {
namespace {

Result<profiler::ProfileOptions> ProfileOptionsOf(const sightline_profile_options* given) {
  profiler::ProfileOptions options;
  if (given == nullptr) return options;
  sightline_profile_options taken{};
  SIGHTLINE_RETURN_IF_ERROR(TakeStruct(given, "sightline_profile_options", taken));
  if (taken.ring_bytes != 0) options.ring_bytes = taken.ring_bytes;
  if (taken.flush_interval_ms != 0)
    options.flush_interval = std::chrono::milliseconds(taken.flush_interval_ms);
  if (taken.sample_interval_ms != 0) {
    options.sample_interval =
        std::chrono::milliseconds(taken.sample_interval_ms < 0 ? 0 : taken.sample_interval_ms);
  }
  return options;
}

// Records an event. Where memory runs out, there is one less.
template <typename Record>
void Quietly(const Record& record) noexcept {
  try {
    record();
  } catch (...) {  // NOLINT(bugprone-empty-catch): no event is worth a training.
  }
}

}  // namespace
}  // namespace sightline::sdk

namespace sdk = sightline::sdk;

sightline_code sightline_profile_start(const char* directory,
                                       const sightline_profile_options* options,
                                       sightline_profile** profile) {
  return sdk::Guarded(nullptr, [&] {
    if (profile == nullptr) return sdk::FailNull(nullptr, "profile");
    *profile = nullptr;
    if (directory == nullptr) return sdk::FailNull(nullptr, "directory");
    auto taken = sdk::ProfileOptionsOf(options);
    if (!taken) return sdk::Done(nullptr, taken.error());
    taken->directory = directory;
    auto made = std::make_unique<sightline_profile>();
    auto started = sightline::profiler::ProfileRecorder::Start(*taken);
    if (!started) return sdk::Done(nullptr, started.error());
    made->recorder = *std::move(started);
    *profile = made.release();
    return SIGHTLINE_OK;
  });
}

const char* sightline_profile_path(const sightline_profile* profile) {
  return profile == nullptr ? nullptr : profile->recorder->path().c_str();
}

sightline_code sightline_profile_stop(sightline_profile* profile, sightline_profile_stats* stats) {
  return sdk::Guarded(profile, [&] {
    if (profile == nullptr) return sdk::FailNull(nullptr, "profile");
    sightline_profile_stats filled{};
    if (stats != nullptr) {  // A wrong size is said before anything ends.
      const auto status = sdk::GiveStruct(filled, "sightline_profile_stats", stats);
      if (!status.ok()) return sdk::Done(profile, status);
    }
    const auto stopped = profile->recorder->Stop();
    if (!stopped) return sdk::Done(profile, stopped.error());
    if (stats == nullptr) return SIGHTLINE_OK;
    filled.events = stopped->events;
    filled.dropped = stopped->dropped;
    filled.bytes = stopped->bytes;
    filled.threads = stopped->threads;
    return sdk::Done(profile, sdk::GiveStruct(filled, "sightline_profile_stats", stats));
  });
}

void sightline_profile_free(sightline_profile* profile) {
  if (profile == nullptr) return;
  sdk::Forget(profile);
  delete profile;
}

uint32_t sightline_name(const char* text) {
  uint32_t name = 0;
  if (text != nullptr) sdk::Quietly([&] { name = sightline::profiler::InternName(text); });
  return name;
}

uint32_t sightline_span_begin(uint32_t name, int category) {
  if (sightline::profiler::Recording() == 0) return 0;
  const bool known = category >= SIGHTLINE_COMPUTE && category <= SIGHTLINE_QUEUE;
  uint32_t span = 0;
  sdk::Quietly([&] {
    span = sightline::profiler::BeginSpan(
        name, known ? static_cast<sightline::profiler::Category>(category)
                    : sightline::profiler::Category::kNone);
  });
  return span;
}

void sightline_span_end(uint32_t span) {
  if (span != 0) sdk::Quietly([&] { sightline::profiler::EndSpan(span); });
}

void sightline_step_begin(int64_t number) {
  sdk::Quietly([&] { sightline::profiler::BeginStep(number); });
}

void sightline_step_end(void) {
  sdk::Quietly([] { sightline::profiler::EndStep(); });
}

void sightline_instant(uint32_t name) {
  sdk::Quietly([&] { sightline::profiler::RecordInstant(name); });
}

void sightline_counter(uint32_t name, double value) {
  sdk::Quietly([&] { sightline::profiler::RecordCounter(name, value); });
}

void sightline_name_thread(const char* name) {
  if (name != nullptr) sdk::Quietly([&] { sightline::profiler::NameThisThread(name); });
}
