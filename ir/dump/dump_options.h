// What a GraphDumper dumps and where. The switches have MindSpore's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::ir {

// Whether a dump waits if the buffer is full of dumps that are not written yet.
enum class WhenFull : std::uint8_t {
  kWait,  // Wait for room: nothing is lost, but the compilation may wait for the disk.
  kDrop,  // Leave the dump out and count it: the compilation does not wait.
};

struct DumpOptions {
  // `save_graphs`: 0 nothing; 1 stages, passes and kernel graphs; 2 also detail of the back end; 3
  // also every step and substitution, and a .dot beside each (dump_point.h).
  int level = 0;
  // `save_graphs_path`: the folder, created when something is dumped.
  std::string path = ".";
  // If several processes dump: the folder is rank_N below the path.
  std::optional<std::uint32_t> rank = std::nullopt;
  // Only dumps whose names, without the running number, contain one of these texts ("_" is in every
  // name); none: all. With texts, steps and substitutions are dumped at every level but 0,
  // otherwise only at level 3.
  std::vector<std::string> passes = {};
  // With 5, only the fifth, the tenth, ... of the dumps that would be written.
  std::uint32_t interval = 1;
  // The sorted form (sorted.h) instead of the ordinary one.
  bool sorted = false;
  // .ir.gz instead of .ir. These files are much smaller, and `sightline ir` opens them; most text
  // editors do not. The .dot files are not compressed.
  bool compress = false;

  // Bytes of visited graphs that may wait to be printed; a larger graph waits alone.
  std::size_t buffer_bytes = std::size_t{64} << 20;
  WhenFull when_full = WhenFull::kWait;

  // For tests; must outlive the dumper.
  FileSystem* file_system = &FileSystem::Local();

  // OK, or kInvalidArgument with every fault: the option, its value and what is allowed.
  Status Check() const;
};

// "0" to "3", or "true" (2) and "false" (0) in any case, as `save_graphs` takes them.
Result<int> ParseDumpLevel(std::string_view text);

// MS_DEV_SAVE_GRAPHS, MS_DEV_SAVE_GRAPHS_PATH, MS_DEV_DUMP_IR_PASSES ("validate,inline"),
// MS_DEV_DUMP_IR_INTERVAL ("5") and MS_DEV_SAVE_GRAPHS_SORT_MODE (or, as some of MindSpore's
// documents spell it, MS_DEV_SAVE_GRAPTHS_SORT_MODE); "1" or "true" switches sorting on. An
// empty variable counts as not set. kInvalidArgument, with the variable and its value, for a bad
// value.
Result<DumpOptions> DumpOptionsFromEnvironment();

}  // namespace sightline::ir
