// Finds the pass of a folder's dumps that introduced, renamed or removed a node, an operator or an
// attribute.
//
// A NodeFilter chooses the nodes. They are followed from dump to dump as diff.h matches them, so a
// renamed node is still the same; if that is not certain, the event is marked.
//
//   const Result<Folder> folder = ReadFolder(files, path, {});
//   for (const BlameEvent& event : Blame(files, path, *folder, {.name = "CNode_12"}).events)
//     Print(event.kind, folder->dumps[event.dump].path);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/query/node_filter.h"

namespace sightline::ir {

enum class BlameKind : std::uint8_t {
  kFirst,       // It is already in the first dump of its graph.
  kIntroduced,  // It is new in this dump.
  kGained,   // It existed before, but matches the filter from this dump on: an attribute was set.
  kRenamed,  // It has another name from this dump on. Only if the filter asks for names.
  kLost,     // It still exists, but no longer matches the filter.
  kRemoved,  // It no longer exists.
  kLast,     // It is still in the last dump of its graph.
};

// "introduced", "renamed"
std::string_view Describe(BlameKind kind);

struct BlameEvent {
  BlameKind kind = BlameKind::kFirst;
  // In Folder::dumps: the first dump that shows it, which is the one after the pass.
  std::uint32_t dump = 0;
  std::string subgraph;
  std::string name;    // The node's name; if it was renamed, the new one.
  std::string callee;  // CalleeName of summary.h.
  // Its earlier name (kRenamed) or callee (kGained, kLost).
  std::optional<std::string> before;
  // Another node may be meant as well (Change::ambiguous).
  bool ambiguous = false;
};

struct BlameResult {
  std::vector<BlameEvent> events;  // In the order of the dumps.
  std::vector<Status> unread;      // Dumps that are left out because they cannot be read.
  std::uint64_t most_at_once = 0;  // The most nodes of one dump that match the filter.
};

// Graphs of their own, which are compared with nothing, have only kFirst and kLast. Two dumps at a
// time are in memory.
BlameResult Blame(FileSystem& files, const std::string& path, const Folder& folder,
                  const NodeFilter& filter);

}  // namespace sightline::ir
