// GraphDumper: `save_graphs` for frameworks that are built on us. A framework hands over its graph
// behind each stage, pass and step of its compiler; the files are MindSpore's, and `sightline ir`
// reads them.
//
//   GraphDumper dumper(DumpOptionsFromEnvironment().value_or(DumpOptions()));
//   dumper.StartCompilation();
//   dumper.Dump(DumpPoint::Stage("parse"), [&](GraphVisitor& visitor) { Visit(graph, visitor); });
//   ...
//   const Status closed = dumper.Close();
//
// Cost: a dump that the level leaves out is a comparison. Others are copied, compactly, by the
// caller's thread, so that the graph may change as soon as Dump returns; the dumper's own thread
// prints, compares and writes. A dump that says what an earlier one says is stored once: it is a
// hard link to the earlier file (dump_store.h).
//
// Failure: no call throws, and none can fail the compilation: the first error is kept, the others
// are counted, and each later dump is tried again.
//
// Threads: every method from any thread. The running numbers are those of the order in which calls
// came to their end. Fork: a forked child dumps nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sightline/base/status.h"
#include "sightline/ir/dump/dump_options.h"
#include "sightline/ir/dump/dump_point.h"
#include "sightline/ir/dump/graph_visitor.h"

namespace sightline::ir {

struct DumperStats {
  std::uint64_t dumps = 0;    // Graphs that were handed over and accepted.
  std::uint64_t files = 0;    // Written, .dot among them.
  std::uint64_t links = 0;    // Names of files that say the same.
  std::uint64_t bytes = 0;    // Of the files.
  std::uint64_t dropped = 0;  // Found no room (WhenFull::kDrop).
  std::uint64_t errors = 0;   // Dumps that are not, or not all, in the folder.
  Status first_error;         // OK while nothing went wrong.
};

class GraphDumper {
 public:
  // Options that are out of range are the first error, and nothing is dumped.
  explicit GraphDumper(const DumpOptions& options) noexcept;
  // Closes.
  ~GraphDumper();
  GraphDumper(const GraphDumper&) = delete;
  GraphDumper& operator=(const GraphDumper&) = delete;

  // Another graph is compiled: its first stage is number 00. The running number goes on.
  void StartCompilation() noexcept;

  // Whether dumps of such points may be written: the level has them. Which of these are, by name
  // and interval, Dump decides, which counts them all.
  bool Wants(const DumpPoint& point) const noexcept;

  // Calls `visit`, in this thread, where the level has such dumps. An exception of `visit` ends the
  // dump, not the compilation.
  void Dump(const DumpPoint& point, const std::function<void(GraphVisitor&)>& visit) noexcept;

  // Waits until what was dumped before the call is in the folder. The first error, if there was
  // any.
  Status Flush() noexcept;
  // The same, and ends the dumper's thread; later dumps do nothing. Idempotent.
  Status Close() noexcept;

  DumperStats Stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;  // Null: there is nothing to dump, or no memory for it.
};

}  // namespace sightline::ir
