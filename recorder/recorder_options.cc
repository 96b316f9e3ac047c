#include "sightline/recorder/recorder_options.h"

#include <fmt/format.h>

namespace sightline {
namespace {

constexpr std::size_t kMinBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxBufferBytes = std::size_t{1} << 31;
constexpr int kMaxWorkers = 64;

Status Bad(std::string_view name, std::string_view value, std::string_view allowed) {
  return Status(StatusCode::kInvalidArgument, fmt::format("{} = {}: {}", name, value, allowed));
}

}  // namespace

Status RecorderOptions::Check() const {
  if (formats.empty()) return Bad("formats", "{}", "name at least one of mindspore, tensorboard");
  if (buffer_bytes < kMinBufferBytes || buffer_bytes > kMaxBufferBytes) {
    return Bad("buffer_bytes", fmt::to_string(buffer_bytes), "must be between 1 MiB and 2 GiB");
  }
  if (flush_interval.count() <= 0) {
    return Bad("flush_interval", fmt::format("{} ms", flush_interval.count()),
               "must be more than 0 ms");
  }
  if (sync == SyncPolicy::kInterval && sync_interval.count() <= 0) {
    return Bad("sync_interval", fmt::format("{} ms", sync_interval.count()),
               "must be more than 0 ms");
  }
  if (workers < 0 || workers > kMaxWorkers) {
    return Bad("workers", fmt::to_string(workers),
               fmt::format("must be between 0 and {}", kMaxWorkers));
  }
  if (world_size < 1) return Bad("world_size", fmt::to_string(world_size), "must be at least 1");
  if (rank < 0 || rank >= world_size) {
    return Bad("rank", fmt::to_string(rank),
               fmt::format("must be between 0 and world_size - 1 = {}", world_size - 1));
  }
  if (device_id < 0) return Bad("device_id", fmt::to_string(device_id), "must not be negative");
  if (hostname.find('/') != std::string::npos)
    return Bad("hostname", hostname, "must not contain '/'");
  if (file_system == nullptr || clock == nullptr)
    return Bad("file_system, clock", "null", "must be set");
  return {};
}

}  // namespace sightline
