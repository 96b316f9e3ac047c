// Event files as a reader must see them: the file, followed by the records that a journal still
// holds for it. A recorder that is running, or was killed, has already accepted these records, but
// only the next writer moves them into the file. A reader shows them from memory, and changes
// nothing.
//
//   for (const EventSource& source : *ListEventSources("run")) {
//     SIGHTLINE_ASSIGN_OR_RETURN(auto reader, OpenEventSource(source));
//   }
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/recorder/writing/journal_reader.h"

namespace sightline {

struct EventSource {
  std::string path;
  std::optional<EventFileKind> kind;  // As its name says.
  // Set if a journal belongs to the file; the file may then not exist yet.
  std::optional<JournalTail> tail;
};

// The event files of one directory, in reading order; includes files that so far exist only in a
// journal. Opens each: a file that has such a name but is not an event file is left out, and added
// to `notes` with what it is ("run/events.out.tfevents.1.gz: not an event file: gzip").
Result<std::vector<EventSource>> ListEventSources(const std::string& directory,
                                                  FileSystem* file_system = &FileSystem::Local(),
                                                  std::vector<std::string>* notes = nullptr);
// One file, whatever its name is.
Result<EventSource> FindEventSource(const std::string& path,
                                    FileSystem* file_system = &FileSystem::Local());

Result<std::unique_ptr<EventReader>> OpenEventSource(
    const EventSource& source, FileSystem* file_system = &FileSystem::Local());
// kInvalidArgument, with what it is, if the file is not an event file: it has no sound record, and
// either its name or its first bytes are not those of one. REQUIRES: the reader is at its end.
Status CheckIsEventFile(const EventSource& source, const EventReader& reader,
                        FileSystem* file_system = &FileSystem::Local());
// The source as one file of bytes, to be read by RecordReader.
Result<std::unique_ptr<ReadableFile>> OpenSourceBytes(
    const EventSource& source, FileSystem* file_system = &FileSystem::Local());

}  // namespace sightline
