// Puts dumps into their folder. One that says what an earlier one says is stored once: it is
// another name (a hard link) of the earlier file.
//
// Two dumps say the same when their texts are equal but for addresses ("0x55bca90a8d00"), so ids
// count: a framework whose ids change from dump to dump has nothing to link. One thread at a time.
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
    std::uint64_t files = 0;  // With bytes of their own.
    std::uint64_t links = 0;  // Names of files that were there.
    std::uint64_t bytes = 0;  // Of files.
  };

  // `files` must outlive this.
  DumpStore(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // `name` below the folder with its extension. Folders are made; a file of that name is replaced
  // in one step, its other names keep what they have. `compress`: behind the name comes ".gz". On
  // an error no file of that name, or the one that was there, is left.
  Status Put(const std::string& name, std::string_view text, bool compress);

  const Counters& counters() const { return counters_; }

 private:
  Status Write(const std::string& path, std::string_view bytes);
  // Not OK: there is no such link now, and the text must be written.
  Status Link(const std::string& from, const std::string& to);
  Status MakeFolder(const std::string& path);

  FileSystem& files_;
  const std::string folder_;
  std::set<std::string> made_;  // Folders.
  // The newest file of each text, which 96 bits and its size stand for.
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::size_t, bool>;
  std::map<Key, std::string> stored_;
  std::string without_addresses_;
  Counters counters_;
};

}  // namespace sightline::ir
