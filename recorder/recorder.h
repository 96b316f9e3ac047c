// Recorder: writes a run's event files. Values are recorded under tags; the values of a step become
// one event.
//
//   auto recorder = Recorder::Open("./run", {});
//   if (!recorder) return recorder.error();
//   const TagId loss = (*recorder)->Intern("loss");
//   for (std::int64_t step = 1; step <= 1000; ++step) {
//     (*recorder)->AddScalar(loss, step, Train(step));
//   }
//   Status closed = (*recorder)->Close();
//
// Threads: every method may be called from any thread at any time, even Close. The files have the
// events in the order of the calls that recorded them.
//
// Cost: a recording call copies its values into a memory-mapped journal and returns. Threads of the
// recorder encode the values and write them. A call makes no system call, except that the first one
// of a burst wakes the writer if it sleeps. A call waits only if the buffer is full
// (WritingOptions::on_buffer_full), if its event is larger than the buffer, or with
// SyncPolicy::kEveryRecord. No recording call throws.
//
// Durability: once a call has returned Outcome::kAccepted, its values survive SIGKILL of the
// process. The journal stays in the directory, and the next Recorder that is opened there completes
// the files from it. docs/durability.md has the exceptions.
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
#include "sightline/recorder/message/tensorboard_values.h"
#include "sightline/recorder/message/value.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// The result of a recording call. A trainer may ignore it, since RecorderStats counts the values
// and keeps the first error.
enum class Outcome : std::uint8_t {
  kAccepted,  // Will be in the files, even if this process is killed (docs/durability.md). A value
              // that is staged still needs RecordStaged.
  kDropped,   // There was no room: the buffer is full and calls do not wait (OnBufferFull::kDrop,
              // or recording is paused), or memory ran out.
  kInvalid,   // The value cannot be recorded; see RecorderStats::first_error.
  kClosed,    // The recorder is closed, or belongs to the parent of this forked process.
};

// How far Flush waits.
enum class FlushTo {
  kKernel,  // Whole records are in the files. They survive the end of the process, however it ends.
  kDisk,    // They survive a power loss, too.
};

struct RecorderStats {
  std::uint64_t accepted_events = 0;
  std::uint64_t accepted_values = 0;
  std::uint64_t accepted_bytes = 0;   // Values as the caller gave them, and their tags.
  std::uint64_t written_events = 0;   // Events that are in every file they belong to.
  std::uint64_t written_bytes = 0;    // In all files together.
  std::uint64_t dropped_values = 0;   // Outcome::kDropped.
  std::uint64_t left_out_values = 0;  // Accepted, but the file was full (max_file_size with
                                      // OnFileFull::kStop). With several formats, the count of the
                                      // one that left out most.
  std::uint64_t invalid_values = 0;   // Outcome::kInvalid.
  std::uint64_t lost_values = 0;      // Accepted, but a file could not take them (first_error).
  std::uint64_t duplicate_tags = 0;   // Values that a newer one of the same event, tag and kind
                                      // replaced.
  std::uint64_t unprotected_bytes = 0;  // Large values outside of the journal, not yet written.
  std::uint64_t errors = 0;
  Status first_error;              // OK if there was no error.
  bool paused = false;             // Disk space is short, or files cannot be written.
  bool kill_safe = true;           // False if no journal could be mapped (see first_error).
  double caller_seconds = 0;       // Time that callers spent waiting for room in the buffer.
  double worker_seconds = 0;       // CPU time of the recorder's threads.
  std::vector<std::string> files;  // Event files, in the order of their creation.
};

class Recorder {
 public:
  // Creates `directory` if needed, completes the files of killed recorders there, and opens the
  // first files. kInvalidArgument if an option is out of range, or if `directory` is a URL or has
  // a NUL byte (CheckLocalPath). Also returns the errors of the file system.
  static Result<std::unique_ptr<Recorder>> Open(const std::string& directory,
                                                const RecorderOptions& options);

  // Closes the recorder. Call Close first to see its errors.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Returns an id for the tag `text`; the same text gives the same id. The recorder keeps every
  // distinct text in memory until it is destroyed.
  TagId Intern(std::string_view text);

  // Records one event of these values. They are borrowed for this call and copied once. If a tag
  // comes twice with the same kind, its last value is recorded.
  Outcome Record(std::int64_t step, std::span<const TaggedValue> values) noexcept;
  // The same with a given time in Unix seconds instead of now, such as that of an imported log.
  // kInvalid unless it is finite.
  Outcome Record(std::int64_t step, double wall_time, std::span<const TaggedValue> values) noexcept;

  // These record one event of one value.
  Outcome Add(Tag tag, std::int64_t step, const Value& value) noexcept;
  Outcome AddScalar(Tag tag, std::int64_t step, double value) noexcept;
  Outcome AddHistogram(Tag tag, std::int64_t step, const TensorView& values) noexcept;
  Outcome AddTensor(Tag tag, std::int64_t step, const TensorView& values) noexcept;
  // `nchw` has the shape (batch, channels, height, width) with 1 or 3 channels. uint8 pixels stay
  // exact; other dtypes are stretched from their minimum to their maximum.
  Outcome AddImage(Tag tag, std::int64_t step, const TensorView& nchw) noexcept;
  // A graph, lineage or landscape that recorder/message/graph.h, lineage.h or landscape.h
  // serialized, or a TensorBoard event (kinds.h). Only a landscape's tag is written.
  Outcome AddMessage(Tag tag, std::int64_t step, ValueKind kind,
                     std::string_view serialized) noexcept;

  // These record values that only TensorBoard shows, so they need Format::kTensorBoard. They return
  // kInvalid where the functions of recorder/message/tensorboard_values.h return an error.
  Outcome AddText(Tag tag, std::int64_t step, std::string_view text) noexcept;
  Outcome AddAudio(Tag tag, std::int64_t step, const TensorView& samples,
                   double sample_rate) noexcept;
  Outcome AddPrCurve(Tag tag, std::int64_t step, const PrCurve& curve) noexcept;
  Outcome AddMesh(Tag tag, std::int64_t step, const Mesh& mesh) noexcept;
  // The run's row on the HPARAMS page; TensorBoard shows the first one that is in its files.
  Outcome AddHyperParameters(std::int64_t step, std::span<const HyperParameter> parameters,
                             std::span<const std::string> metrics) noexcept;

  // Collect the values of an event one by one. Stage copies a value, in any order and from any
  // thread. RecordStaged makes one event of everything that was staged since the last one. Until
  // then, staged values are lost if the process ends.
  Outcome Stage(Tag tag, const Value& value) noexcept;
  Outcome RecordStaged(std::int64_t step) noexcept;

  // RecorderStats::paused, but cheap enough for every step.
  bool paused() const noexcept;

  // Waits until everything that was accepted before the call is where `to` says. Returns the error
  // that prevents it.
  Status Flush(FlushTo to = FlushTo::kKernel) noexcept;

  // Flushes, closes the files and removes the journal. If something accepted is not in the files,
  // returns the first error; the journal stays for the next recorder if it still has something to
  // write. Otherwise, if values were refused or dropped, returns an error such as "values that were
  // refused: 3, dropped: 2; first: ...". Later calls return the same.
  Status Close() noexcept;

  RecorderStats Stats() const;
  const std::string& directory() const;  // Absolute, since a process may change its directory.
  // 128 random bits as 32 hexadecimal digits. The first record of each file of this recorder has
  // them.
  const std::string& session_id() const;
  // The session that RecorderOptions::resume_from_step continues: the newest one of this rank in
  // the directory whose recorder no longer runs. Empty: none.
  const std::string& continues_session() const;

 private:
  friend class RecorderAccess;  // recorder_access.h
  class Impl;
  explicit Recorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Handles SIGTERM: first flushes and closes every open Recorder, then lets the signal do what it
// did before (by default, end the process). Without this nothing is lost, but the journals stay in
// the directories. Starts one sleeping thread; call it once, early. kFailedPrecondition on a second
// call. A forked child must call it again; until then, SIGTERM does in the child what it did
// before.
Status CloseRecordersOnSigterm();

// The same if SIGTERM has its default action. Otherwise does nothing and returns OK: the program
// handles or ignores SIGTERM itself, or one of these functions was called before.
Status CloseRecordersOnDefaultSigterm();

}  // namespace sightline
