#include "sightline/runs/model/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sightline/sdk/failure.h"
#include "sightline/sdk/sized_struct.h"

struct sightline_run {
  std::shared_ptr<const sightline::Run> run;
};

namespace sightline::sdk {
namespace {

constexpr std::pair<ContentKind, sightline_kind> kKinds[] = {
    {ContentKind::kScalar, SIGHTLINE_SCALAR},       {ContentKind::kHistogram, SIGHTLINE_HISTOGRAM},
    {ContentKind::kTensor, SIGHTLINE_TENSOR},       {ContentKind::kImage, SIGHTLINE_IMAGE},
    {ContentKind::kLandscape, SIGHTLINE_LANDSCAPE}, {ContentKind::kText, SIGHTLINE_TEXT},
    {ContentKind::kAudio, SIGHTLINE_AUDIO},         {ContentKind::kPlugin, SIGHTLINE_PLUGIN},
    {ContentKind::kUnknown, SIGHTLINE_UNKNOWN},
};
static_assert(std::size(kKinds) == std::size(kContentKinds) + 1);

sightline_kind KindOf(ContentKind kind) {
  const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                         [kind](const auto& pair) { return pair.first == kind; });
  return found == std::end(kKinds) ? SIGHTLINE_UNKNOWN : found->second;
}

sightline_run_state StateOf(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return SIGHTLINE_RUNNING;
    case RunState::kStalled:
      return SIGHTLINE_STALLED;
    case RunState::kKilled:
      return SIGHTLINE_KILLED;
    case RunState::kFinished:
      return SIGHTLINE_FINISHED;
    case RunState::kEnded:
      return SIGHTLINE_ENDED;
  }
  return SIGHTLINE_ENDED;
}

// Calls work(const Series&) for the series of that index.
template <typename Work>
sightline_code WithSeries(const sightline_run* run, uint64_t index, const Work& work) noexcept {
  return Guarded(run, [&] {
    if (run == nullptr) return FailNull(nullptr, "run");
    const auto series = run->run->series();
    if (index >= series.size()) {
      return Fail(run, SIGHTLINE_INVALID_ARGUMENT,
                  fmt::format("there is no series {}; the run has {}", index, series.size()));
    }
    return work(*series[index]);
  });
}

}  // namespace
}  // namespace sightline::sdk

namespace sdk = sightline::sdk;

sightline_code sightline_run_open(const char* directory, sightline_run** run) {
  return sdk::Guarded(nullptr, [&] {
    if (run == nullptr) return sdk::FailNull(nullptr, "run");
    *run = nullptr;
    if (directory == nullptr) return sdk::FailNull(nullptr, "directory");
    auto opened = sightline::Run::Open(directory);
    if (!opened) return sdk::Done(nullptr, opened.error());
    *run = new sightline_run{*std::move(opened)};
    return SIGHTLINE_OK;
  });
}

void sightline_run_free(sightline_run* run) {
  if (run == nullptr) return;
  sdk::Forget(run);
  delete run;
}

sightline_code sightline_run_get_info(const sightline_run* run, sightline_run_info* info) {
  return sdk::Guarded(run, [&] {
    if (run == nullptr) return sdk::FailNull(nullptr, "run");
    if (info == nullptr) return sdk::FailNull(run, "info");
    sightline_run_info filled{};
    filled.series_count = run->run->series().size();
    filled.file_count = run->run->files().size();
    filled.state = sdk::StateOf(run->run->State());
    filled.damaged = run->run->damaged() ? 1 : 0;
    return sdk::Done(run, sdk::GiveStruct(filled, "sightline_run_info", info));
  });
}

sightline_code sightline_run_get_series(const sightline_run* run, uint64_t index,
                                        sightline_series* series) {
  return sdk::WithSeries(run, index, [&](const sightline::Series& found) {
    if (series == nullptr) return sdk::FailNull(run, "series");
    sightline_series filled{};
    filled.tag = found.key().tag.c_str();
    filled.kind = sdk::KindOf(found.key().kind);
    filled.rank = found.key().rank;
    filled.points = found.size();
    filled.first_step = found.first_step();
    filled.last_step = found.last_step();
    return sdk::Done(run, sdk::GiveStruct(filled, "sightline_series", series));
  });
}

sightline_code sightline_run_find(const sightline_run* run, int kind, const char* tag,
                                  uint64_t* index) {
  return sdk::Guarded(run, [&] {
    if (run == nullptr) return sdk::FailNull(nullptr, "run");
    if (tag == nullptr) return sdk::FailNull(run, "tag");
    if (index == nullptr) return sdk::FailNull(run, "index");
    const auto all = run->run->series();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& series) {
      return sdk::KindOf(series->key().kind) == kind && series->key().tag == tag;
    });
    if (found == all.end()) {
      return sdk::Fail(run, SIGHTLINE_NOT_FOUND,
                       fmt::format("the run has no series '{}' of kind {}", tag, kind));
    }
    *index = static_cast<uint64_t>(found - all.begin());
    return SIGHTLINE_OK;
  });
}

sightline_code sightline_run_read_scalars(const sightline_run* run, uint64_t index, uint64_t first,
                                          uint64_t count, int64_t* steps, double* wall_times,
                                          double* values, uint64_t* copied) {
  return sdk::WithSeries(run, index, [&](const sightline::Series& series) {
    if (copied == nullptr) return sdk::FailNull(run, "copied");
    *copied = 0;
    if (!series.is_scalar()) {
      return sdk::Fail(run, SIGHTLINE_INVALID_ARGUMENT,
                       fmt::format("series '{}' has no scalars", series.key().tag));
    }
    const std::size_t begin = std::min<uint64_t>(first, series.size());
    const std::size_t size = std::min<uint64_t>(count, series.size() - begin);
    const auto copy = [begin, size](const auto& column, auto* out) {
      if (out == nullptr) return;
      const auto part = column.subspan(begin, size);
      std::copy(part.begin(), part.end(), out);
    };
    copy(series.steps(), steps);
    copy(series.wall_times(), wall_times);
    copy(series.values(), values);
    *copied = size;
    return SIGHTLINE_OK;
  });
}
