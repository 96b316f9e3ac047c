// Reads a folder of dumps in the order in which they were written: its compilations, and what each
// pass changed.
//
// A folder has runs (processes, ranks), a run has compilations, and a compilation has dumps in the
// order of their numbers; those of kernel graphs are in sets. Each dump has figures, and the dump
// that it is compared with: the one before it of the same graph. A dump that cannot be read has an
// error in place of figures.
//
//   const Result<Folder> folder = ReadFolder(LocalDumps(), "graphs", {});
//   for (const Dump& dump : folder->dumps)
//     if (dump.changed && dump.before) Show(DeltaOf(folder->dumps[*dump.before], dump));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

// The figures of a dump, which stay in memory after it was read.
struct DumpFigures {
  Form form = Form::kGraph;
  std::string entry;  // Name of the entry graph.
  Summary summary;
  std::uint64_t problem_count = 0;
  bool is_dump = true;  // False: the file has only the name of a dump.
  Digest digest;

  bool operator==(const DumpFigures&) const = default;
};

DumpFigures FiguresOf(const Module& module);

// The network or function whose graph has an entry of this name: "TrainOneStepCell" of
// "13_1_mindspore_nn_wrap_cell_wrapper_TrainOneStepCell_construct_279".
std::string_view NetworkOf(std::string_view entry);

struct Dump {
  std::string path;  // Below the folder: "verbose_ir_files/expand_Add_0017.ir".
  DumpName name;
  std::uint64_t bytes = 0;
  double modified_seconds = 0;
  Status error;  // Why there are no figures.
  DumpFigures figures;
  // In Folder::dumps: the dump that it is compared with; none if it is the first of its graph.
  std::optional<std::uint32_t> before;
  bool changed = true;  // False: equal to the one before (digest.h).
  // A step or substitution of another graph than the compilation's: opt_resolve, for example, works
  // on the gradient of each operator.
  bool other_graph = false;
};

// The dumps of one kernel graph, from its first step to trace_code_graph.
struct KernelSet {
  Range dumps;
};

// From one 00_bootstrap to the next, or until the number of the stage does not rise.
struct Compilation {
  Range dumps;  // Of Folder::dumps; so are the others.
  std::vector<KernelSet> kernel_sets;
};

// What one process wrote. If a number occurs twice, a second run wrote into the same folder.
struct Run {
  std::optional<std::uint32_t> rank;  // N of the folder rank_N.
  Range dumps;
  std::vector<Compilation> compilations;
  Range unnumbered;  // Actor sets and compile errors, after the others.
};

struct Folder {
  std::vector<Dump> dumps;
  std::vector<Run> runs;          // By rank, then in the order of time.
  std::uint64_t other_files = 0;  // .dot, .pb and everything else.
  std::uint64_t other_bytes = 0;
};

struct FolderOptions {
  int threads = 2;
};

// The dumps in `path` and in its folders rank_N, bprop, verbose_ir_files, actor_set and om, in
// order, without figures: no dump is read, and `before` and `changed` are not set.
// kPermissionDenied, with a remedy, if the folder belongs to another user. Any thread.
Result<Folder> ListFolder(FileSystem& files, const std::string& path);

// The same with figures: every dump is read.
Result<Folder> ReadFolder(FileSystem& files, const std::string& path, const FolderOptions& options);

// How many more of each the second dump has than the first.
struct Delta {
  std::int64_t subgraphs = 0;
  std::int64_t parameters = 0;
  std::int64_t statements = 0;
  std::vector<std::pair<std::string, std::int64_t>> callees;  // By name; those that differ.
};

Delta DeltaOf(const Dump& before, const Dump& after);

}  // namespace sightline::ir
