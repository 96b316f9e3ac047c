// Which pass of a folder's dumps introduced, renamed or removed a node, an operator or an
// attribute.
//
// What is asked for is a NodeFilter. Nodes are followed from dump to dump by what they are
// (diff.h), so that one that is renamed is still the same; where that is not certain it is said.
//
//   const Result<Folder> folder = ReadFolder(files, path, {});
//   for (const BlameEvent& event : Blame(files, path, *folder, {.name = "CNode_12"}).events)
//     Print(event.kind, folder->dumps[event.dump].path);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/query/node_filter.h"

namespace sightline::ir {

enum class BlameKind : std::uint8_t {
  kFirst,       // It is in the first dump of its graph already.
  kIntroduced,  // It is new in this dump.
  kGained,      // It was there, and meets the filter since this dump: an attribute was set.
  kRenamed,     // It has another name since this dump. Only where the filter asks for names.
  kLost,        // It is there, and does not meet the filter any more.
  kRemoved,     // It is not there any more.
  kLast,        // It is still in the last dump of its graph.
};

// "introduced", "renamed"
std::string_view Describe(BlameKind kind);

struct BlameEvent {
  BlameKind kind = BlameKind::kFirst;
  // Of Folder::dumps: the first dump that shows it, which is that behind the pass.
  std::uint32_t dump = 0;
  std::string subgraph;
  std::string name;    // Of the node; of a renamed one the new name.
  std::string callee;  // CalleeName of summary.h.
  std::string before;  // The name, or for kGained and kLost the callee, that it had before.
  // It might as well have been another node (Change::ambiguous).
  bool ambiguous = false;
};

struct BlameResult {
  std::vector<BlameEvent> events;  // In the order of the dumps.
  std::vector<Status> unread;      // Dumps that are left out, as they cannot be read.
  std::uint64_t most_at_once = 0;  // The most nodes of one dump that meet the filter.
};

// Graphs of their own, that the folder compares with nothing, are only first and last. One
// dump at a time is in memory besides the one before it.
BlameResult Blame(FileSystem& files, const std::string& path, const Folder& folder,
                  const NodeFilter& filter);

}  // namespace sightline::ir
