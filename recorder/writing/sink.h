// Sink: one kind of output for recorded events. The journal has its progress, so that after a kill
// it continues exactly where it was: no event is missing, and none occurs twice.
//
// Only one thread, the writer's, may call the methods.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/journal/journal.h"

namespace sightline {

// A place in the journal: the position and the sequence number of the next entry.
struct JournalCursor {
  std::uint64_t position = 0;
  std::uint64_t sequence = 0;
};

struct PlacedScalar {
  ScalarEvent event;
  JournalCursor behind;  // The place after its entry.
};

// Sinks call these functions for the recorder's statistics.
struct SinkObserver {
  std::function<void(const std::string& path)> file_created;
  std::function<void(std::uint64_t bytes)> written;
  // The file's dialect has no form for a value.
  std::function<void(const Status& why)> unspeakable;
  // The sink of this journal slot left out values, since its file is full (OnFileFull::kStop).
  std::function<void(std::size_t slot, std::uint64_t values)> left_out;
};

class Sink {
 public:
  virtual ~Sink() = default;

  // The name in messages: "MindSpore summary", "npy export".
  virtual const std::string& name() const = 0;

  // Whether it may lose events, so that other sinks can continue while it fails. True for exports
  // of values that the event files have, too.
  virtual bool expendable() const = 0;

  // Takes the values of `event` that belong here. May keep them in a buffer until Flush. `behind`:
  // the place after the event's entry. After an error, nothing of the event counts as taken, and
  // Rollback must follow.
  virtual Status Append(const PreparedEvent& event, const JournalCursor& behind) = 0;

  // The same for each of `events`, which are in order and not empty. After an error, none of the
  // unflushed events counts as taken, and Rollback must follow.
  virtual Status AppendScalars(std::span<const PlacedScalar> events) = 0;

  // Moves past entries that have nothing to write: lost or damaged ones. `behind`: the place after
  // them.
  virtual void Skip(const JournalCursor& behind) = 0;

  // Hands what was appended to the operating system, and stores the progress in the journal.
  virtual Status Flush() = 0;

  // Forgets what is not flushed, in memory and, if possible, in the file.
  virtual void Rollback() = 0;

  // Makes flushed bytes durable.
  virtual Status Sync() = 0;

  // Closes the files. No call may follow. REQUIRES: everything is flushed.
  virtual Status Close() = 0;

  // Everything before this place was flushed.
  virtual JournalCursor done() const = 0;
  // Everything before this place was appended or skipped.
  virtual JournalCursor taken() const = 0;
};

}  // namespace sightline
