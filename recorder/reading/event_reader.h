// EventReader: reads the events of a file of either dialect, in one form; also of a file of another
// recorder, as events of TensorBoard's dialect; its records that hold no values are left out.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(auto reader, EventReader::Open(FileSystem::Local(), path));
//   while (reader->Next() == ReadOutcome::kRecord) {
//     for (const ValueView& value : reader->event().values) { ... }
//   }
//   if (!reader->status().ok()) return reader->status();
//
// Damage is skipped as in RecordReader. A sound record whose payload is not a protobuf message is a
// skipped region, too. Reading an event allocates
// nothing, except for the metadata of a tag's first value. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/recorder/reading/first_metadata.h"

namespace sightline {

class TranslatingReader;

class EventReader {
 public:
  // Opens a file. Its name tells its kind, or else its first event does. A version record of the
  // other dialect overrules both.
  static Result<std::unique_ptr<EventReader>> Open(FileSystem& file_system, const std::string& path,
                                                   Tail tail = Tail::kFinal);

  EventReader(std::unique_ptr<ReadableFile> file, std::optional<EventFileKind> kind,
              Tail tail = Tail::kFinal);
  ~EventReader();
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  // Moves to the next event; kRecord if there is one.
  ReadOutcome Next();

  // The current event. Its views are valid until the next call of Next or Finish.
  const EventView& event() const { return event_; }
  // The kind of files that tells the dialect of the events, as far as it is known at the current
  // one.
  EventFileKind kind() const { return kind_; }

  // TensorBoard's metadata of the tags read so far. A reader of the run's next file takes them
  // over, before its first Next, since metadata hold in the whole run.
  const FirstMetadata& metadata() const { return metadata_; }
  void Inherit(FirstMetadata metadata) { metadata_ = std::move(metadata); }

  // Finish and the functions after Reject are those of RecordReader.
  void Finish();
  // Counts the current event as a skipped region, for example if a message in it cannot be decoded.
  void Reject();
  std::uint64_t position() const;
  std::uint64_t records() const;
  const std::vector<SkippedRegion>& skipped() const;
  const Status& status() const;

 private:
  void AdoptVersion();
  ReadOutcome NextTranslated();

  RecordReader records_;
  std::unique_ptr<TranslatingReader> translating_;  // Null, or it has the file.
  EventView event_;
  FirstMetadata metadata_;
  EventFileKind kind_ = EventFileKind::kMindSporeSummary;
  bool kind_known_ = false;
};

}  // namespace sightline
