// The stored index of a folder: the figures of dumps that were read before, each with the size and
// the time of the file that it is of.
//
// A cache: without it, or when it is damaged, of another version or of another folder, dumps are
// read again. Its bytes:
//
//   file    := "SLIRIDX" VERSION(1 byte) CRC32C(4 bytes, of the rest) message
//   message := protobuf fields: 1 path of the folder; 2 a name of callees, repeated; 3 a dump,
//              repeated (the fields are in folder_index.cc)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sightline/ir/folder/folder.h"

namespace sightline::ir {

class FolderIndex {
 public:
  // Empty when there is nothing in `file` that can be used.
  static FolderIndex Load(FileSystem& files, const std::string& file, std::string_view folder);

  // What is known of the dump at `path` below the folder; null when its file was another then.
  const DumpFigures* Find(const std::string& path, std::uint64_t bytes,
                          double modified_seconds) const;
  std::size_t size() const { return dumps_.size(); }

  // Keeps the figures of all dumps that have some, for the next Load.
  static Status Save(FileSystem& files, const std::string& file, std::string_view folder,
                     const std::vector<Dump>& dumps);

 private:
  bool Parse(std::string_view message, std::string_view folder);

  std::map<std::string, Dump, std::less<>> dumps_;
};

}  // namespace sightline::ir
