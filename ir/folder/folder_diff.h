// Compares two folders of dumps - of two versions or two ranks - pass by pass.
//
// Runs are paired by rank, or else in order; their compilations and kernel graphs in order; dumps
// by the names of their passes without numbers, in the order of both. A dump without a partner is
// in one folder only.
//
//   const auto graphs = CompareFolders(files, {path_a, folder_a}, {path_b, folder_b});
//   for (const GraphDiff& graph : graphs)
//     if (graph.first_different) Show(graph.dumps[*graph.first_different]);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/ir/compare/diff.h"
#include "sightline/ir/folder/folder.h"

namespace sightline::ir {

struct FolderAt {
  const std::string& path;
  const Folder& folder;  // With figures.
};

enum class DumpOutcome : std::uint8_t { kEqual, kDifferent, kOnlyA, kOnlyB, kUnread };

struct DumpPair {
  DumpOutcome outcome = DumpOutcome::kEqual;
  std::optional<std::uint32_t> a;  // Of Folder::dumps.
  std::optional<std::uint32_t> b;
  DiffCounts counts;  // Of kDifferent.
  Status error;       // Of kUnread.
};

// A compilation's stages and passes, or the steps of one of its kernel graphs.
struct GraphDiff {
  // Its place in both folders; numbers count from 0.
  std::size_t run = 0;
  std::size_t compilation = 0;
  std::optional<std::size_t> kernel_graph;
  std::vector<DumpPair> dumps;                 // In the order of both.
  std::optional<std::size_t> first_different;  // Of `dumps`: the first that is kDifferent.
};

// Dumps are not read if their digests are equal, or if neither pass changed anything.
std::vector<GraphDiff> CompareFolders(FileSystem& files, const FolderAt& a, const FolderAt& b);

}  // namespace sightline::ir
