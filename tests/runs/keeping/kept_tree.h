// A folder of runs as text, to compare before and after.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::testing {

// Each file, link and empty folder below `folder`, with its bytes or where it leads.
inline std::map<std::string, std::string> TreeOf(const std::string& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      tree[path] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      tree[path] = ReadFileOrDie(entry.path());
    } else if (fs::is_empty(entry.path())) {
      tree[path] = "(empty)";
    }
  }
  return tree;
}

// With the folders above it.
inline void WriteBelow(const std::string& path, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  WriteFileOrDie(path, bytes);
}

}  // namespace sightline::testing
