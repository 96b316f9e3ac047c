#include "sightline/recorder/writing/recorder_options.h"

#include <algorithm>
#include <limits>

#include "sightline/base/faults.h"
#include "sightline/base/process_rank.h"

namespace sightline {
namespace {

constexpr std::size_t kMinBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxBufferBytes = std::size_t{1} << 31;
constexpr int kMaxWorkers = 64;

void CheckFormats(const std::vector<Format>& formats, Faults& faults) {
  const auto count = [&](Format format) {
    return std::count(formats.begin(), formats.end(), format);
  };
  constexpr std::string_view kAllowed = "must name mindspore, tensorboard or both, each once";
  if (formats.empty()) faults.Add("formats is empty, but {}", kAllowed);
  for (const Format format : {Format::kMindSpore, Format::kTensorBoard}) {
    if (count(format) > 1)
      faults.Add("formats names {} {} times, but {}", FormatName(format), count(format), kAllowed);
  }
}

void CheckTime(std::string_view name, std::chrono::milliseconds time, Faults& faults) {
  if (time.count() <= 0) faults.Add("{} is {} ms, but must be more than 0", name, time.count());
}

void CheckWho(const WritingOptions& options, Faults& faults) {
  if (options.world_size.value_or(0) != 0)
    faults.AtLeastOne("world_size", *options.world_size, "process");
  const auto [rank, world_size] = RankOf(options);
  if (rank < 0) faults.Add("rank is {}, but must be at least 0", rank);
  if (rank >= std::max(world_size, 1))
    faults.Add("rank is {}, but must be less than world_size, which is {}", rank, world_size);
  if (options.device_id < 0)
    faults.Add("device_id is {}, but must not be negative", options.device_id);
  if (options.hostname.find('/') != std::string::npos)
    faults.Add("hostname is {}, but must not contain '/'", options.hostname);
}

void CheckWriting(const WritingOptions& options, Faults& faults) {
  if (options.buffer_bytes < kMinBufferBytes || options.buffer_bytes > kMaxBufferBytes)
    faults.Add("buffer_bytes is {}, but must be between 1 MiB and 2 GiB", options.buffer_bytes);
  CheckTime("flush_interval", options.flush_interval, faults);
  if (options.sync == SyncPolicy::kInterval)
    CheckTime("sync_interval", options.sync_interval, faults);
  if (options.workers < 0 || options.workers > kMaxWorkers)
    faults.Add("workers is {}, but must be between 0 and {}", options.workers, kMaxWorkers);
  CheckWho(options, faults);
  faults.Add(CheckLocalPath("journal_dir", options.journal_dir));
  if (options.file_system == nullptr || options.clock == nullptr)
    faults.Add("file_system or clock is null, but both must be set");
}

// A rank of the environment that a session can hold.
std::optional<int> IntOf(std::optional<std::int64_t> number, std::int64_t most) {
  return number && *number <= most ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

ProcessRank RankOf(const WritingOptions& options) {
  constexpr int kMost = std::numeric_limits<int>::max();
  const int most = options.world_size.value_or(kMost) - 1;
  const int rank = options.rank ? *options.rank : IntOf(RankOfEnvironment(), most).value_or(0);
  if (options.world_size) return {rank, *options.world_size};
  const int world_size = IntOf(WorldSizeOfEnvironment(), kMost).value_or(1);
  return {rank, std::max(world_size, std::min(rank, kMost - 1) + 1)};
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kMindSpore:
      return "mindspore";
    case Format::kTensorBoard:
      return "tensorboard";
  }
  return "";
}

Status RecorderOptions::Check() const {
  Faults faults;
  CheckFormats(formats, faults);
  if (max_file_size == 0) faults.Add("max_file_size is 0, but must be at least 1 byte");
  if (resume_from_step.value_or(0) < 0)
    faults.Add("resume_from_step is {}, but must be a step, at least 0", *resume_from_step);
  CheckWriting(writing, faults);
  return faults.ToStatus();
}

}  // namespace sightline
