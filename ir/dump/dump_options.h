// What a GraphDumper dumps and where: MindSpore's switches under MindSpore's names.
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

// What a dump does when the buffer is full of dumps that are not written yet.
enum class WhenFull : std::uint8_t {
  kWait,  // Wait for room: nothing is lost, compiling may wait for the disk.
  kDrop,  // Leave the dump out and count it: compiling never waits.
};

struct DumpOptions {
  // `save_graphs`: 0 nothing; 1 stages, passes and kernel graphs; 2 also detail of the back end; 3
  // also every step and substitution, and a .dot beside each (dump_point.h).
  int level = 0;
  // `save_graphs_path`: the folder; it is made when something is dumped. Empty: the current one.
  std::string path;
  // Of a process among others: the folder is rank_N below the path.
  std::optional<std::uint32_t> rank;
  // Only dumps whose names, without the running number, have one of these texts in them; none: all.
  // They also bring in, at every level but 0, steps and substitutions, which are level 3 otherwise.
  // "_" is in every name.
  std::vector<std::string> passes;
  // Only one of so many dumps that there would be, the last of them: with 5 the fifth, the tenth.
  std::uint32_t interval = 1;
  // The sorted form (sorted.h) instead of the ordinary one.
  bool sorted = false;
  // .ir.gz instead of .ir: a twentieth of the bytes; `sightline ir` opens them as it opens the
  // others, text editors do not. Pictures stay plain, for graphviz.
  bool compress = false;

  // Bytes that may wait to be printed, as they were handed over; a larger dump waits alone.
  std::size_t buffer_bytes = std::size_t{64} << 20;
  WhenFull when_full = WhenFull::kWait;

  // A seam for tests; must outlive the dumper.
  FileSystem* file_system = &FileSystem::Local();

  // OK, or kInvalidArgument with every fault: the option, its value and what is allowed.
  Status Check() const;
};

// "0" to "3", or "true" (2) and "false" (0) in any case, as `save_graphs` takes them.
Result<int> ParseDumpLevel(std::string_view text);

// MS_DEV_SAVE_GRAPHS, MS_DEV_SAVE_GRAPHS_PATH, MS_DEV_DUMP_IR_PASSES ("validate,inline"),
// MS_DEV_DUMP_IR_INTERVAL ("5") and MS_DEV_SAVE_GRAPHS_SORT_MODE (or, as some of MindSpore's
// documents spell it, MS_DEV_SAVE_GRAPTHS_SORT_MODE); "1" or "true" switches sorting on. A variable
// that is empty is as if it were not set. kInvalidArgument with the variable and its value for what
// none of them can be.
Result<DumpOptions> DumpOptionsFromEnvironment();

}  // namespace sightline::ir
