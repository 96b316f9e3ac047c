// Dumps of a folder as a table: what each changed.
#pragma once

#include <cstddef>
#include <string>

#include "sightline/ir/folder/folder.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// The rows of one graph's successive dumps. Dumps that changed nothing share a row, unless `all`.
class DumpRows {
 public:
  // Both must outlive it.
  DumpRows(const ir::Folder& folder, const Style& style, bool all);

  // A dump of the folder.
  void Add(const ir::Dump& dump);
  // Once, when all are added.
  std::string ToString();

 private:
  void AddUnchanged();

  const ir::Folder& folder_;
  const Style& style_;
  bool all_;
  Table table_;
  std::size_t unchanged_ = 0;
  const ir::Dump* last_unchanged_ = nullptr;
};

}  // namespace sightline
