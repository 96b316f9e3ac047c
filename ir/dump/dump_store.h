// Writes dumps into their folder. Equal dumps are stored once: the later name is a hard link to the
// earlier file.
//
// Two dumps are equal if their texts differ only in addresses ("0x55bca90a8d00"). Ids count, so if
// a framework changes its ids from dump to dump, nothing is linked. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sightline/base/file_system.h"

namespace sightline::ir {

class DumpStore {
 public:
  struct Counters {
    std::uint64_t files = 0;  // Without the links.
    std::uint64_t links = 0;  // Further names of these files.
    std::uint64_t bytes = 0;  // The sizes of the files.
  };

  // `files` must outlive this.
  DumpStore(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // Writes the file `name` (with extension) below the folder. Creates folders. A file of that name
  // is replaced in one step; other hard links to it keep their content. `compress` appends ".gz" to
  // the name. On an error, the old file of that name stays, or there is none.
  Status Put(const std::string& name, std::string_view text, bool compress);

  const Counters& counters() const { return counters_; }

 private:
  Status Write(const std::string& path, std::string_view bytes);
  // If it fails, there is no link, and the text must be written.
  Status Link(const std::string& from, const std::string& to);
  Status MakeFolder(const std::string& path);

  FileSystem& files_;
  const std::string folder_;
  std::set<std::string> made_;  // Folders.
  // The newest file of each text, by 96 bits of its hash and its size.
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::size_t, bool>;
  std::map<Key, std::string> stored_;
  std::string without_addresses_;
  Counters counters_;
};

}  // namespace sightline::ir
