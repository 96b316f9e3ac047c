// ProfileRecorder: while one is there, the events of span.h are recorded into a file.
//
//   auto profile = tracing::ProfileRecorder::Start({.directory = "./profile"});
//   if (!profile) return profile.error();
//   Train();
//   auto stats = (*profile)->Stop();          // stats->path: for ui.perfetto.dev or `sightline`.
//
// A thread of its own takes the events out of the threads' rings and appends them to the file,
// which is whole after each of its writes: a process that is killed leaves all but the last moment
// (`flush_interval`).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::tracing {

enum class TraceFormat {
  kPerfetto,  // Perfetto's protobuf trace, "*.perfetto-trace": about 30 bytes a span.
  kChrome,    // Chrome's JSON, "*.trace.json": five times larger, and slower to write.
};

struct ProfileOptions {
  // Where the file is made, under a new name; made with its parents where it is missing.
  std::string directory = {};
  TraceFormat format = TraceFormat::kPerfetto;
  // What a thread may record before the writer gets to it, 16 bytes an event or more; 64 KiB to
  // 1 GiB. Taken from the system as it is first used.
  std::size_t ring_bytes = std::size_t{8} << 20U;
  // Between two writes to the file; 1 ms to 10 s.
  std::chrono::milliseconds flush_interval{200};
  // Between two samples of the process' memory, CPU time, faults, disk and network bytes as
  // counters "system/..."; 0: none.
  std::chrono::milliseconds sample_interval{100};
  FileSystem* files = nullptr;  // Null: the local one. Outlives the profile.
};

struct ProfileStats {
  std::string path;
  std::uint64_t events = 0;   // In the file; a span is two.
  std::uint64_t dropped = 0;  // Found no room, or no place in the file.
  std::uint64_t bytes = 0;    // Of the file.
  std::size_t threads = 0;
};

class ProfileRecorder {
 public:
  // One profile a process: kFailedPrecondition while another is running. kInvalidArgument for an
  // option out of its range, or what the file system says. Any thread.
  static Result<std::unique_ptr<ProfileRecorder>> Start(const ProfileOptions& options);

  // Stops, and hides errors.
  ~ProfileRecorder();
  ProfileRecorder(const ProfileRecorder&) = delete;
  ProfileRecorder& operator=(const ProfileRecorder&) = delete;

  // Records no more, writes what is there, and closes the file. What other threads record while it
  // runs may be in the file or not; spans that are open then have no end in it. The first error of
  // writing, if there was one: what was recorded behind it is dropped and counted. A second call
  // returns the first one's answer. In a forked child: kFailedPrecondition, and nothing is done.
  Result<ProfileStats> Stop();

  // Of the file, from the beginning on.
  const std::string& path() const;
  // Up to now, from any thread. `bytes` and `events` are those that the writer has seen.
  ProfileStats Stats() const;

 private:
  class Impl;
  explicit ProfileRecorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::tracing
