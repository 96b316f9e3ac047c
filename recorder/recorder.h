// Recorder: the event log's writing side. Values are added under tags and become one event of a
// step.
//
//   auto recorder = Recorder::Open("./run", {});
//   if (!recorder) return recorder.error();
//   const TagId loss = (*recorder)->Intern("loss");
//   for (std::int64_t step = 1; step <= 1000; ++step) (*recorder)->AddScalar(loss, step,
//   Train(step)); Status closed = (*recorder)->Close();
//
// Threads: every method may be called from any thread at any time, Close included. The order of
// events in the files is the order of the calls that recorded them.
//
// Cost: a call copies its values into a memory-mapped journal and returns; encoding and writing
// happen on the recorder's own threads. No call throws, and none of them makes a system call a
// record: a sleeping writer is woken at most once a burst.
//
// Durability: when a call returned Outcome::kAccepted, SIGKILL of the process loses nothing of it:
// the journal stays behind and the next Recorder opened in the directory completes the files from
// it (docs/durability.md).
//
// Fork: a forked child records nothing into its parent's run; its calls return Outcome::kClosed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/base/tag.h"
#include "sightline/recorder/message/value.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// What became of a recording call. A trainer may ignore it: errors are kept and counted in
// RecorderStats.
enum class Outcome : std::uint8_t {
  kAccepted,  // Will be in the files, whatever happens to this process.
  kDropped,   // The buffer was full (OnBufferFull::kDrop) or recording is paused for want of disk
              // space.
  kInvalid,   // The value cannot be recorded; RecorderStats::first_error says why.
  kClosed,    // After Close, or in a forked child.
};

// How far Flush waits.
enum class FlushTo {
  kKernel,  // Complete records are in the files: they survive the end of the process, by any cause.
  kDisk,    // And a power loss.
};

struct RecorderStats {
  std::uint64_t accepted_events = 0;
  std::uint64_t accepted_values = 0;
  std::uint64_t accepted_bytes = 0;   // As they were given, tags included.
  std::uint64_t written_events = 0;   // In every file they belong to.
  std::uint64_t written_bytes = 0;    // Over all files.
  std::uint64_t dropped_values = 0;   // Outcome::kDropped.
  std::uint64_t left_out_values = 0;  // Accepted, but after max_file_size with OnFileFull::kStop;
                                      // of several formats, in the files that took least.
  std::uint64_t invalid_values = 0;
  std::uint64_t lost_values = 0;  // Accepted, but a file could not take them; first_error says why.
  std::uint64_t duplicate_tags = 0;     // Replaced by a newer value of the same tag, kind and step.
  std::uint64_t unprotected_bytes = 0;  // Of values too large for the buffer, not yet written.
  std::uint64_t errors = 0;
  Status first_error;         // OK while nothing went wrong.
  bool paused = false;        // For want of disk space, or while files cannot be written.
  bool kill_safe = true;      // False where no journal could be mapped (see first_error).
  double caller_seconds = 0;  // Unused by the hot path: time that callers spent blocked for room.
  double worker_seconds = 0;  // CPU time of the recorder's threads.
  std::vector<std::string> files;  // Event files, in the order of their creation.
};

class Recorder {
 public:
  // Creates `directory` when needed, completes what a killed recorder left there, and opens the
  // first files. Errors: kInvalidArgument for options out of range and a directory that is no path
  // of this machine (CheckLocalPath), and what the file system reports.
  static Result<std::unique_ptr<Recorder>> Open(const std::string& directory,
                                                const RecorderOptions& options);

  // Closes; errors of that go unseen, so call Close first.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The same text gives the same id. Memory is kept for each distinct text until the recorder is
  // destroyed.
  TagId Intern(std::string_view text);

  // Events of several values: Add them under their tags, in any order and from any thread, then
  // Record(step) makes one event of everything added since the last Record. Added values are copied
  // and accepted only by Record. A tag added twice with one kind: the newest wins.
  Outcome Add(Tag tag, const Value& value) noexcept;
  Outcome Record(std::int64_t step) noexcept;

  // One event from values that are borrowed for this call: one copy, made here.
  Outcome Record(std::int64_t step, std::span<const TaggedValue> values) noexcept;
  // The same at a time of the caller's, in Unix seconds, instead of now: what happened earlier,
  // such as an imported log. kInvalid unless it is finite.
  Outcome Record(std::int64_t step, double wall_time, std::span<const TaggedValue> values) noexcept;

  // One event of one value.
  Outcome Add(Tag tag, std::int64_t step, const Value& value) noexcept;
  Outcome AddScalar(Tag tag, std::int64_t step, double value) noexcept;
  Outcome AddHistogram(Tag tag, std::int64_t step, const TensorView& values) noexcept;
  Outcome AddTensor(Tag tag, std::int64_t step, const TensorView& values) noexcept;
  // (batch, channels, height, width) with 1 or 3 channels; uint8 pixels stay exact, other dtypes
  // are stretched as MindSpore does (recorder/tensor/image.h).
  Outcome AddImage(Tag tag, std::int64_t step, const TensorView& nchw) noexcept;
  // A graph, lineage or landscape, serialized by recorder/message/graph.h, lineage.h or
  // landscape.h, or a TensorBoard event (value.h). Tags matter for landscapes only.
  Outcome AddMessage(ValueKind kind, Tag tag, std::int64_t step,
                     std::string_view serialized) noexcept;

  // Counts a value that its caller could not even bring here, such as one of a type that is no
  // number, as invalid: `why` is kept as an error, and said (RecorderOptions::on_refused) once for
  // each `cause`.
  void Refuse(const Status& why, std::string_view cause) noexcept;
  // "3 values were refused and 2 dropped; first: ..." (kInvalidArgument, or kResourceExhausted
  // where some were dropped only), or OK.
  Status refusals() const;

  // Whether a call with so many bytes of values and tags would now return without waiting, for room
  // or for the disk. A hint, since other threads record too, for callers that hold a lock others
  // need.
  bool HasRoom(std::size_t bytes) const noexcept;
  // RecorderStats::paused, at the cost of one load: for who asks at every step.
  bool paused() const noexcept;

  // Waits until everything accepted before the call has got that far; the error that keeps it from
  // there.
  Status Flush(FlushTo to = FlushTo::kKernel) noexcept;

  // Flushes, closes the files and removes the journal. OK when everything is in the files. When
  // something accepted is not, the first error, and the journal stays for the next writer where it
  // still holds something; otherwise refusals(). Idempotent.
  Status Close() noexcept;

  RecorderStats Stats() const;
  const std::string& directory() const;  // Absolute: a process may change its own.
  // 128 random bits, as 32 hexadecimal digits; in the first record of every file of this recorder.
  const std::string& session_id() const;
  // The session of this rank that RecorderOptions::resume_from_step continues: the newest in the
  // directory whose recorder is no longer at work. Empty: none.
  const std::string& continues_session() const;

 private:
  class Impl;
  explicit Recorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// On SIGTERM: every open Recorder is flushed and closed, then the signal does what it did before
// (by default: ends the process). Nothing is lost without it; with it no journal is left behind.
// Starts one sleeping thread; call once, early. kFailedPrecondition on a second call.
// A forked child of the process asks for itself; until then SIGTERM does in it what it did before.
Status CloseRecordersOnSigterm();

// The same, unless the program handles SIGTERM itself; OK also when it was called before.
Status CloseRecordersOnDefaultSigterm();

}  // namespace sightline
