#include "sightline/collectors/config/recorder_config.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace sightline {
namespace {

std::optional<Format> AsFormat(const OptionValue& value) {
  const auto* const name = value.As<std::string>();
  for (const Format format : {Format::kMindSpore, Format::kTensorBoard})
    if (name != nullptr && *name == FormatName(format)) return format;
  return std::nullopt;
}

std::optional<std::vector<Format>> AsFormats(const OptionValue& value) {
  if (const auto format = AsFormat(value)) return std::vector{*format};
  const auto* const list = value.As<OptionList>();
  if (list == nullptr) return std::nullopt;
  std::vector<Format> formats;
  for (const OptionValue& each : *list) {
    const auto format = AsFormat(each);
    if (!format) return std::nullopt;
    formats.push_back(*format);
  }
  return formats;
}

}  // namespace

void ReadFormats(OptionReader& options, std::vector<Format>& target) {
  options.Read("formats", target, &AsFormats, "must be mindspore, tensorboard or a list of them");
}

void ReadFileSize(OptionReader& options, std::optional<std::uint64_t>& max_file_size,
                  OnFileFull& on_file_full) {
  options.ByteSize("max_file_size", max_file_size);
  options.Choice("on_file_full", on_file_full,
                 {{"rotate", OnFileFull::kRotate}, {"stop", OnFileFull::kStop}});
}

void ReadWritingOptions(OptionReader& options, WritingOptions& target) {
  options.ByteSize("buffer_bytes", target.buffer_bytes);
  options.Choice("on_buffer_full", target.on_buffer_full,
                 {{"block", OnBufferFull::kBlock}, {"drop", OnBufferFull::kDrop}});
  options.Seconds("flush_interval", target.flush_interval);
  options.Choice("sync", target.sync,
                 {{"never", SyncPolicy::kNever},
                  {"interval", SyncPolicy::kInterval},
                  {"every_record", SyncPolicy::kEveryRecord}});
  options.Seconds("sync_interval", target.sync_interval);
  options.ByteSize("min_free_disk_bytes", target.min_free_disk_bytes);
  options.String("journal_dir", target.journal_dir);
  options.Integer("workers", target.workers);
  options.Integer("rank", target.rank);
  options.Integer("world_size", target.world_size);
  options.Integer("device_id", target.device_id);
  options.String("hostname", target.hostname);
}

RecorderOptions ReadRecorderOptions(OptionReader& options) {
  RecorderOptions target;
  ReadFormats(options, target.formats);
  ReadFileSize(options, target.max_file_size, target.on_file_full);
  options.Bool("export_npy", target.export_npy);
  ReadWritingOptions(options, target.writing);
  options.Integer("resume_from_step", target.resume_from_step);
  options.ReportUnknown();
  options.faults().Add(target.Check());
  return target;
}

std::string WarningOfSmallFiles(std::optional<std::uint64_t> max_file_size) {
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 10;
  if (max_file_size.value_or(kSmall) >= kSmall) return "";
  return fmt::format(
      "max_file_size is {} bytes: a file is full after a few events; set {} or more, or give a "
      "unit, such as 100MB",
      *max_file_size, kSmall);
}

}  // namespace sightline
