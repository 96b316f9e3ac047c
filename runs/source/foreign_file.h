// Foreign files: files that have the name of an event file but are not one, such as a compressed
// copy, a picture of a curve or the pointer of Git LFS. They do not make a run, and are not damage.
//
//   if (const auto type = ForeignTypeOf(*file)) Note(path + " is not an event file: it is " +
//   *type);
//
// Private to this repository. Plain functions, callable from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/runs/source/event_source.h"

namespace sightline {

// What a file is that begins with `head` and holds no record: "gzip", "an HTML page", "text", ...;
// "unknown data" if its first bytes show no type. Nothing if it may be an event file all the same:
// if it begins with the length of a record, is shorter than that, or begins with zeros, which a
// machine that lost its power leaves in place of what was written last. Give it kForeignHead bytes,
// or the whole file if it is shorter.
std::optional<std::string_view> ForeignType(std::string_view head);
inline constexpr std::size_t kForeignHead = 512;

// The same for a file whose records are not known: nothing if it holds one anywhere, or cannot be
// read. Reads the whole file only if its first bytes are not those of a record.
std::optional<std::string_view> ForeignTypeOf(FileSystem& file_system, const EventSource& source);

// "not an event file: gzip".
std::string ForeignNote(std::string_view type);

// Drops the files that are foreign, and adds a line for each to `notes`, if it is not null.
template <typename Source>
void DropForeignFiles(FileSystem& file_system, std::vector<Source>& sources,
                      std::vector<std::string>* notes = nullptr) {
  std::erase_if(sources, [&](const Source& source) {
    const auto type = ForeignTypeOf(file_system, source);
    if (type && notes != nullptr) notes->push_back(source.path + ": " + ForeignNote(*type));
    return type.has_value();
  });
}

}  // namespace sightline
