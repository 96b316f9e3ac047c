#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sightline/sdk/recorder_handle.h"
#include "sightline/sdk/sized_struct.h"

namespace sightline::sdk {

Result<std::vector<Format>> FormatsOf(std::uint32_t bits) {
  constexpr std::uint32_t kAll = SIGHTLINE_FORMAT_MINDSPORE | SIGHTLINE_FORMAT_TENSORBOARD;
  if ((bits & ~kAll) != 0) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("formats is {}, which has bits that are no SIGHTLINE_FORMAT_*", bits));
  }
  if (bits == 0) return std::vector{Format::kMindSpore};
  std::vector<Format> formats;
  if ((bits & SIGHTLINE_FORMAT_MINDSPORE) != 0) formats.push_back(Format::kMindSpore);
  if ((bits & SIGHTLINE_FORMAT_TENSORBOARD) != 0) formats.push_back(Format::kTensorBoard);
  return formats;
}

Result<RecorderOptions> RecorderOptionsOf(const sightline_recorder_options* given) {
  RecorderOptions options;
  if (given == nullptr) return options;
  sightline_recorder_options taken{};
  SIGHTLINE_RETURN_IF_ERROR(TakeStruct(given, "sightline_recorder_options", taken));
  SIGHTLINE_ASSIGN_OR_RETURN(options.formats, FormatsOf(taken.formats));
  if (taken.sync < SIGHTLINE_SYNC_NEVER || taken.sync > SIGHTLINE_SYNC_EVERY_RECORD) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("sync is {}, which is no sightline_sync", taken.sync));
  }
  options.export_npy = taken.export_npy != 0;
  options.on_file_full = taken.stop_when_file_full != 0 ? OnFileFull::kStop : OnFileFull::kRotate;
  if (taken.has_resume_from_step != 0) options.resume_from_step = taken.resume_from_step;
  if (taken.max_file_size != 0) options.max_file_size = taken.max_file_size;
  WritingOptions& writing = options.writing;
  writing.sync = static_cast<SyncPolicy>(taken.sync);
  writing.on_buffer_full = taken.drop_when_full != 0 ? OnBufferFull::kDrop : OnBufferFull::kBlock;
  if (taken.buffer_bytes != 0) writing.buffer_bytes = taken.buffer_bytes;
  if (taken.flush_interval_ms != 0)
    writing.flush_interval = std::chrono::milliseconds(taken.flush_interval_ms);
  if (taken.journal_dir != nullptr) writing.journal_dir = taken.journal_dir;
  if (taken.has_rank != 0) {
    writing.rank = taken.rank;
    writing.world_size = taken.world_size;
  }
  if (taken.on_refused != nullptr) {
    writing.on_refused = [call = taken.on_refused, context = taken.context](std::string_view line) {
      call(context, std::string(line).c_str());
    };
  }
  return options;
}

}  // namespace sightline::sdk
