// ProfileRecorder: records the events of span.h into a Perfetto trace, from Start to Stop.
//
//   auto profile = profiler::ProfileRecorder::Start({.directory = "./profile"});
//   if (!profile) return profile.error();
//   Train();
//   auto stats = (*profile)->Stop();  // Open stats->path in ui.perfetto.dev, or with
//                                     // `sightline profile`.
//
// A separate thread takes the events out of the threads' rings and appends them to the file.
// Readers can read the file after each of these writes: if the process is killed, only the events
// since the last write are missing (`flush_interval`).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::profiler {

struct ProfileOptions {
  // Where the file is created, under a new name: "profile_<seconds>_<pid>.perfetto-trace", of about
  // 30 bytes a span. A missing directory is created, too.
  std::string directory = {};
  // Size of each thread's ring, which holds what the writer has not taken yet: 16 bytes an event or
  // more. 64 KiB to 1 GiB. The system gives each page when it is first used.
  std::size_t ring_bytes = std::size_t{8} << 20U;
  // Time between two writes to the file; 1 ms to 10 s.
  std::chrono::milliseconds flush_interval{200};
  // Time between two samples of the process's memory, CPU time, page faults, disk and network
  // bytes, which become counters "system/..."; 0: no samples.
  std::chrono::milliseconds sample_interval{100};
  FileSystem* file_system = &FileSystem::Local();  // It must outlive the profile.
};

struct ProfileStats {
  std::string path;
  std::uint64_t events = 0;   // In the file; a span is two events.
  std::uint64_t dropped = 0;  // Lost, because a ring was full or a write failed.
  std::uint64_t bytes = 0;    // Size of the file.
  std::size_t threads = 0;
};

class ProfileRecorder {
 public:
  // A process records one profile at a time: kFailedPrecondition if another one is running.
  // kInvalidArgument if an option is out of its range, kResourceExhausted if the system has no
  // thread to give, and the errors of the file system. Any thread.
  static Result<std::unique_ptr<ProfileRecorder>> Start(const ProfileOptions& options);

  // Stops, and ignores errors.
  ~ProfileRecorder();
  ProfileRecorder(const ProfileRecorder&) = delete;
  ProfileRecorder& operator=(const ProfileRecorder&) = delete;

  // Ends recording, writes the rest, and closes the file. Events that other threads record
  // meanwhile may or may not be in the file. Spans that are still open have no end in it. If a
  // write failed, returns the first such error; events recorded after it are dropped and counted. A
  // second call returns what the first one returned. In a forked child: kFailedPrecondition, and
  // nothing is done.
  Result<ProfileStats> Stop();

  // The file, which exists from Start on.
  const std::string& path() const;
  // The figures so far, from any thread. `bytes` and `events` are those of the file.
  ProfileStats Stats() const;

 private:
  class Impl;
  explicit ProfileRecorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::profiler
