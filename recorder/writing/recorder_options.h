// RecorderOptions: how a Recorder buffers, writes and limits. Every default is the right one for a
// training run that must not feel its recorder; each comment says what changing it trades.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"

namespace sightline {

struct Host;

enum class Format {
  kMindSpore,    // events.out.events.summary.*_MS and *_lineage
  kTensorBoard,  // events.out.tfevents.*
};

// "mindspore", "tensorboard": as options name them.
std::string_view FormatName(Format format);

// What a call does when the buffer is full of values that are not written yet.
enum class OnBufferFull {
  kBlock,  // Wait for room: nothing is lost, training may wait for the disk.
  kDrop,   // Return Outcome::kDropped and count: training never waits.
};

// What happens when a file reaches max_file_size.
enum class OnFileFull {
  kRotate,  // The next file goes on.
  kStop,    // MindSpore's rule: that file is closed and nothing more is recorded in it.
};

// When files are made to survive a power loss (surviving SIGKILL needs none of it).
enum class SyncPolicy {
  kNever,        // The operating system decides, about every 30 s.
  kInterval,     // Every `sync_interval`.
  kEveryRecord,  // A call returns when its record is on the disk: milliseconds a call.
};

struct RecorderOptions {
  std::vector<Format> formats = {Format::kMindSpore};

  // Also write every tensor value to export_<seconds>/tensor/<tag>_<step>.npy below the run's
  // directory. Not limited by max_file_size.
  bool export_npy = false;

  // Bytes of values that may wait between callers and files: the size of the journal, and the bound
  // of the recorder's memory (plus the largest single value). 1 MiB to 2 GiB, rounded up to whole
  // pages. An event of more than three eighths of it is not copied: its call returns when it is in
  // the files.
  std::size_t buffer_bytes = std::size_t{16} << 20;
  OnBufferFull on_buffer_full = OnBufferFull::kBlock;

  // Accepted values are in their files at the latest after this time.
  std::chrono::milliseconds flush_interval{500};

  // Bytes that one event file may reach; 0: no limit. A single larger record gets a file of its
  // own.
  std::uint64_t max_file_size = 0;
  OnFileFull on_file_full = OnFileFull::kRotate;

  SyncPolicy sync = SyncPolicy::kNever;
  std::chrono::milliseconds sync_interval{5000};

  // Recording pauses, with an error in RecorderStats, while less than this is free on the run's
  // disk, and goes on when space returns.
  std::uint64_t min_free_disk_bytes = std::uint64_t{32} << 20;

  // Where the journal lives; empty: beside the event files. A directory on a local disk or /dev/shm
  // makes sense when the run's directory is on a network drive.
  std::string journal_dir = {};

  // Threads that encode heavy values, besides the one that writes.
  int workers = 1;

  int rank = 0;
  int world_size = 1;
  int device_id = 0;
  std::string hostname = {};  // In the file names; empty: the machine's.

  // A run that goes on in its directory after a restart: the first step that is recorded anew. At
  // least 0. Nothing is deleted; of what this rank recorded before, readers leave out this step and
  // later ones (docs/event_file.md). None: all of it counts.
  std::optional<std::int64_t> resume_from_step = std::nullopt;

  // Called, on the thread of the call, the first time that a value of a tag is refused for a cause,
  // and the first time that values are dropped, with a line for the user; after 100 lines no more.
  // Everything is counted in RecorderStats, and Close reports it. Must not call the recorder.
  std::function<void(std::string_view line)> on_refused = {};

  // Seams for tests; all must outlive the recorder.
  FileSystem* file_system = &FileSystem::Local();
  const Clock* clock = &Clock::System();
  const Host* host = nullptr;  // Null: this machine.

  // OK, or kInvalidArgument with every fault: the option, its value and what is allowed.
  Status Check() const;
};

}  // namespace sightline
