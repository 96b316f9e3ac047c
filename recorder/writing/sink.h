// Sink: one place that recorded events go to, with its own progress in the journal, so that after a
// kill it goes on exactly where it was: nothing missing, nothing twice.
//
// All methods are called from one thread, the writer's.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/journal/journal.h"

namespace sightline {

// A place in the journal: the entry after the last one taken.
struct JournalCursor {
  std::uint64_t position = 0;
  std::uint64_t sequence = 0;
};

struct PlacedScalar {
  ScalarEvent event;
  JournalCursor behind;  // The place after its entry.
};

// What sinks tell the recorder's statistics.
struct SinkObserver {
  std::function<void(const std::string& path)> file_created;
  std::function<void(std::uint64_t bytes)> written;
  std::function<void(const Status& why)>
      unspeakable;  // A value that the file's dialect cannot spell.
  // By the sink of that place in the journal, because max_file_size says stop.
  std::function<void(std::size_t slot, std::uint64_t values)> left_out;
};

class Sink {
 public:
  virtual ~Sink() = default;

  // For messages: "MindSpore summary", "npy export".
  virtual const std::string& name() const = 0;

  // Whether it may lose events so that others go on while it fails: true for exports of what event
  // files hold.
  virtual bool expendable() const = 0;

  // Takes the values of `event` that belong here; `behind` is the place after its entry. May keep
  // them in a buffer until Flush. On an error nothing of the event counts as taken, and Rollback
  // must follow.
  virtual Status Append(const PreparedEvent& event, const JournalCursor& behind) = 0;

  // The same for each of `events`, which are in order and not empty. On an error none of them
  // counts as taken.
  virtual Status AppendScalars(std::span<const PlacedScalar> events) = 0;

  // An entry that brings nothing here (lost, or damaged).
  virtual void Skip(const JournalCursor& behind) = 0;

  // What was appended is handed to the operating system, and the journal knows.
  virtual Status Flush() = 0;

  // Forgets what Flush has not completed, in memory and, where possible, in the file.
  virtual void Rollback() = 0;

  // Flushed bytes are made durable.
  virtual Status Sync() = 0;

  // The last use. REQUIRES: flushed.
  virtual Status Close() = 0;

  // Everything before it is in the files; after Append and Flush.
  virtual JournalCursor done() const = 0;
  // Everything before it was appended.
  virtual JournalCursor taken() const = 0;
};

}  // namespace sightline
