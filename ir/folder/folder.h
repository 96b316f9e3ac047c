// A folder of dumps in the order in which they were written: which compilations it holds, what each
// pass changed, and which changed nothing.
//
// A folder holds runs (processes, ranks), a run compilations, a compilation dumps in the order of
// their numbers, and among them those of kernel graphs in sets. Each dump has its figures, and says
// which dump it is compared with: the one before it of the same graph. Dumps that cannot be read
// have an error in place of figures.
//
//   const Result<Folder> folder = ReadFolder(LocalDumps(), "graphs", {});
//   for (const Dump& dump : folder->dumps)
//     if (dump.changed) Show(dump, dump.before ? DeltaOf(folder->dumps[*dump.before], dump) :
//     Delta());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/ir/folder/dump_name.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/model/range.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/query/digest.h"

namespace sightline::ir {

// What is known of a dump without reading it again. Equal to what the full reader finds.
struct DumpFigures {
  Form form = Form::kGraph;
  std::string entry;  // Name of the entry graph.
  Summary summary;
  std::uint64_t problem_count = 0;
  bool is_dump = true;  // False: nothing in the file is of a dump.
  Digest digest;

  bool operator==(const DumpFigures&) const = default;
};

DumpFigures FiguresOf(const Module& module);

struct Dump {
  std::string path;  // Below the folder: "verbose_ir_files/expand_Add_0017.ir".
  DumpName name;
  std::uint64_t bytes = 0;
  double modified_seconds = 0;
  Status error;  // Why there are no figures.
  DumpFigures figures;
  // In Folder::dumps: the one that it is compared with; none where a graph begins.
  std::optional<std::uint32_t> before;
  bool changed = true;  // False: equal to the one before, see digest.h.
  // A substep or substitution of another graph than the compilation's: opt_resolve works on that of
  // each operator's gradient.
  bool other_graph = false;
};

// The dumps of one kernel graph, from its first step to trace_code_graph.
struct KernelSet {
  Range dumps;
};

// From one 00_bootstrap to the next, or to where the stages' numbers fall.
struct Compilation {
  Range dumps;  // Of Folder::dumps; so are the others.
  std::vector<KernelSet> kernel_sets;
};

// What one process wrote. A number that is there twice is of a second run into the same folder.
struct Run {
  std::optional<std::uint32_t> rank;  // N of the folder rank_N.
  Range dumps;
  std::vector<Compilation> compilations;
  Range unnumbered;  // Actor sets and compile errors: behind the others.
};

struct Folder {
  std::vector<Dump> dumps;
  std::vector<Run> runs;          // By rank, then in the order of time.
  std::uint64_t other_files = 0;  // .dot, .pb and whatever else lies there.
  std::uint64_t other_bytes = 0;
};

struct FolderOptions {
  int threads = 2;
};

// The dumps in `path` and in its folders rank_N, bprop, verbose_ir_files, actor_set and om, in
// order, without figures: no dump is read, `before` and `changed` say nothing. kPermissionDenied
// with what to do about it for somebody else's folder. Any thread.
Result<Folder> ListFolder(FileSystem& files, const std::string& path);

// The same with figures: every dump is read.
Result<Folder> ReadFolder(FileSystem& files, const std::string& path, const FolderOptions& options);

// What the second dump has more than the first.
struct Delta {
  std::int64_t subgraphs = 0;
  std::int64_t parameters = 0;
  std::int64_t statements = 0;
  std::vector<std::pair<std::string, std::int64_t>> callees;  // By name; those that differ.
};

Delta DeltaOf(const Dump& before, const Dump& after);

}  // namespace sightline::ir
