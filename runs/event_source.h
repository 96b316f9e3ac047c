// Event files as a reader must see them: the file, and after its end what a journal still holds. A
// recorder that runs now, or was killed, has accepted those records already; only the next writer
// moves them into the file, so a reader shows them from memory and changes nothing.
//
//   for (const EventSource& source : *ListEventSources(fs, "run")) {
//     SIGHTLINE_ASSIGN_OR_RETURN(auto reader, OpenEventSource(fs, source));
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
#include "sightline/runs/file_look.h"

namespace sightline {

struct EventSource {
  std::string path;
  std::optional<EventFileKind> kind;  // By its name.
  std::optional<JournalTail>
      tail;       // Where a journal belongs to the file, which may not exist yet then.
  FileLook look;  // When it was listed.
};

// The event files of one directory, those that exist only in a journal included, in reading order.
Result<std::vector<EventSource>> ListEventSources(FileSystem& file_system,
                                                  const std::string& directory);
// The same of a directory whose entries were listed just now.
Result<std::vector<EventSource>> ListEventSources(FileSystem& file_system,
                                                  const std::string& directory,
                                                  const std::vector<std::string>& names);

// One file under any name.
Result<EventSource> FindEventSource(FileSystem& file_system, const std::string& path);

Result<std::unique_ptr<EventReader>> OpenEventSource(FileSystem& file_system,
                                                     const EventSource& source);
// kInvalidArgument for what is no event file: neither its name nor a record says that it is one.
// REQUIRES: the reader is at its end.
Status CheckIsEventFile(const EventSource& source, const EventReader& reader);
// The same as one file of bytes, to be read by RecordReader.
Result<std::unique_ptr<ReadableFile>> OpenSourceBytes(FileSystem& file_system,
                                                      const EventSource& source);

}  // namespace sightline
