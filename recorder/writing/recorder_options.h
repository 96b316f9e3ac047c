// RecorderOptions: how a Recorder buffers and writes, and its limits. The defaults suit a training
// run that its recorder must not slow down. Each comment tells what you trade if you change it.
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

// The name of a format in options: "mindspore" or "tensorboard".
std::string_view FormatName(Format format);

// The behaviour of a call if the buffer is full of values that are not written yet.
enum class OnBufferFull {
  kBlock,  // Waits for room. Nothing is lost, but training may wait for the disk.
  kDrop,   // Returns Outcome::kDropped, and counts the values. Training never waits.
};

// What happens when a file reaches max_file_size.
enum class OnFileFull {
  kRotate,  // The recorder continues in a new file.
  kStop,    // MindSpore's rule: the file is closed, and no other one follows it.
};

// When files are synced, so that they survive a power loss. They survive SIGKILL without it.
enum class SyncPolicy {
  kNever,        // The operating system decides, about every 30 s.
  kInterval,     // Every `sync_interval`.
  kEveryRecord,  // A call returns when its record is on the disk. Each call takes milliseconds.
};

// How values get from the callers into the files, and who records them. A Recorder and a
// SummaryMonitor have these in common.
struct WritingOptions {
  // Memory for values that wait between callers and files, 1 MiB to 2 GiB. Three quarters of it,
  // rounded up to a multiple of 64 KiB, are the journal. The recorder needs no more memory than
  // this and the largest single value. If an event is larger than three eighths of it, its large
  // values are not copied, and its call returns when the event is in the files. With
  // OnBufferFull::kDrop, such an event is dropped.
  std::size_t buffer_bytes = std::size_t{16} << 20;
  OnBufferFull on_buffer_full = OnBufferFull::kBlock;

  // Accepted values are in their files after this time, or earlier.
  std::chrono::milliseconds flush_interval{500};

  SyncPolicy sync = SyncPolicy::kNever;
  std::chrono::milliseconds sync_interval{5000};

  // Recording pauses while less than this is free on the run's disk, with an error in
  // RecorderStats. It continues when there is space again. 0: no limit.
  std::uint64_t min_free_disk_bytes = std::uint64_t{32} << 20;

  // The directory of the journal; empty: beside the event files. If the run's directory is on a
  // network drive, choose one on a local disk or in /dev/shm.
  std::string journal_dir = {};

  // Threads that compute histograms and images, in addition to the one that writes. 0 to 64.
  int workers = 1;

  // Which process of a distributed training records, and how many there are; every session stores
  // both. None: what the launcher set in the environment (base/process_rank.h), else 0 of 1. A
  // recorder beside a training, such as that of its machine, is rank 0 of 0.
  std::optional<int> rank = std::nullopt;
  std::optional<int> world_size = std::nullopt;
  int device_id = 0;
  std::string hostname = {};  // For the file names; empty: the machine's name.

  // Called with a line for the user the first time that a value of a tag is refused for a reason,
  // and the first time that values are dropped for a reason; at most 100 times. Also called if a
  // recorder opens as rank 0 of 1 while another one, as the same rank of 1, records in its
  // directory. It runs in the thread of the recording call, and must not call the recorder.
  // RecorderStats counts all such values, and Close reports them.
  std::function<void(std::string_view line)> on_refused = {};

  // Tests replace these. They must outlive the recorder.
  FileSystem* file_system = &FileSystem::Local();
  const Clock* clock = &Clock::System();
  const Host* host = nullptr;  // Null: this machine.
};

struct ProcessRank {
  int rank = 0;
  int world_size = 1;
};

// The rank of a recorder with these options: from them, where they are none from the environment.
// A rank of the environment that does not fit the world size of the options counts as none.
ProcessRank RankOf(const WritingOptions& options);

struct RecorderOptions {
  std::vector<Format> formats = {Format::kMindSpore};

  // Also write every tensor value to export_<seconds>/tensor/<tag>_<step>.npy below the run's
  // directory. Not limited by max_file_size.
  bool export_npy = false;

  // The largest size of an event file, in bytes, at least 1; none: no limit. With
  // OnFileFull::kRotate, a larger event gets a file of its own.
  std::optional<std::uint64_t> max_file_size = std::nullopt;
  OnFileFull on_file_full = OnFileFull::kRotate;

  // For a run that continues in its directory after a restart: the first step that is recorded
  // again, at least 0. Nothing is deleted, but readers leave out this step and later ones from what
  // this rank recorded before (docs/event_file.md). None: they leave out nothing.
  std::optional<std::int64_t> resume_from_step = std::nullopt;

  WritingOptions writing = {};

  // OK, or kInvalidArgument with every wrong option, its value and what is allowed.
  Status Check() const;
};

}  // namespace sightline
