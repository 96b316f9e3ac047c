// Dumps that the tests of `sightline ir` read.
#pragma once

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::testing {

// A small one, by its name for DumpPath.
inline constexpr char kDump[] = "html/20_validate_0542.ir";

// Where a dump, or a folder of dumps, of the corpus is.
inline std::string DumpPath(const std::string& name) { return CorpusPath("ir/" + name); }

// Writes kDump into the directory, with a second statement that has lost its end; its path there.
inline std::string Damaged(const TempDir& dir) {
  std::string text = ReadFileOrDie(DumpPath(kDump));
  const std::size_t end = text.find(") cnode_attrs", text.find("  %1("));
  text.erase(end, 1);
  WriteFileOrDie(dir.File("damaged.ir"), text);
  return dir.File("damaged.ir");
}

}  // namespace sightline::testing
